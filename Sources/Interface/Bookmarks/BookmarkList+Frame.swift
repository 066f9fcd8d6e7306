import Display

extension BookmarkList {
    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        BookmarkListView(list: self, screen: screen, looks: looks).frame
    }
}
