import Testing

@testable import Search

/// Words that look like filters.
struct MistypedFilterTests {
    @Test(arguments: [
        ("has:lnk", "did you mean has:link?"), ("has:li", "did you mean has:link?"),
        ("tide HAS:flie", "did you mean has:file?"), ("-is:replay", "did you mean -is:reply?"),
        ("form:ana", "did you mean from:ana?"), ("form:\"Ana Ruiz\"", "did you mean from:\"Ana Ruiz\"?"),
        ("befor:2024", "did you mean before:2024?"), ("hsa:lnk", "did you mean has:link?"),
        ("sender:ana", "did you mean from:ana?"), ("channel:sea", "did you mean in:sea?"),
        ("has:reaction", "has: takes link, file or attachment"), ("is:unread", "is: takes reply, thread or presence"),
    ])
    func `A filter with a typing error is words, and what may be meant is said`(text: String, advice: String) {
        let query = Query(text)
        #expect(query.mistyped.map(\.description) == [advice])
        #expect(query.required.count + query.excluded.count > 0 && query.filters.isEmpty)
    }

    @Test(arguments: [
        "\"has:lnk\"", "foo:bar", "https://a.b", "12:30", "std::vector", "note: from", "form:", "id:5", "hash:abc",
        "it:is",
        "has:link", "is:reply", "from:anna", "in:nowhere", "since:banana", "xform:ana", "a form", "/form:a/",
        "later:on",
    ])
    func `Other words with a colon, and whatever stands in quotes, are no mistakes`(text: String) {
        #expect(Query(text).mistyped.isEmpty)
    }

    @Test(arguments: [
        ("from: ana", "from: needs a value right after the colon, as in from:ana; to find the word, quote it"),
        ("tide IN: x", "in: needs a value right after the colon, as in in:general; to find the word, quote it"),
        ("-has: link", "has: needs a value right after the colon, as in has:link; to find the word, quote it"),
        (
            "since:\" \" tide",
            "since: needs a value right after the colon, as in since:yesterday; to find the word, quote it"
        ),
        ("is:", "is: needs a value right after the colon, as in is:reply; to find the word, quote it"),
    ])
    func `A filter without a value finds nothing, and says so`(text: String, fault: String) {
        let query = Query(text)
        #expect(query.fault?.description == fault && query.isEmptyButForDates)
    }

    @Test func `A filter whose value is still to be typed is no mistake, and neither is a word in quotes`() {
        #expect(Query("tide from:", isTyping: true).fault == nil)
        #expect(Query("from: ana", isTyping: true).fault?.brief == "from: has no value")
        #expect(Query("\"from: ana\"").fault == nil)
    }

    @Test(arguments: [
        ("from:-ben", "-from:ben"), ("tide from:-ben rope", "-from:ben"), ("-from:-ben", "-from:ben"),
        ("IN:-general", "-in:general"), ("has:-link", "-has:link"), ("is:-reply", "-is:reply"),
        ("from:-an*", "-from:an*"),
    ])
    func `A minus before the value of a filter is told, with the filter that was meant`(text: String, meant: String) {
        let fault = Query(text).fault
        #expect(fault?.brief == "write \(meant)")
        #expect(fault?.description.hasPrefix("put the minus before the filter: \(meant) instead of ") == true)
        #expect(Query(text).isEmpty)
    }

    @Test(arguments: [
        "from:\"-ben\"", "-from:ben", "from:-", "\"from:-ben\"", "xfrom:-ben", "well-known", "from:a-ben",
    ])
    func `Other minuses are no mistake`(text: String) {
        #expect(Query(text).fault == nil)
    }

    @Test func `The beginning of a value that is being typed is no mistake`() {
        #expect(Query("has:li", isTyping: true).mistyped.isEmpty)
        #expect(Query("has:ln", isTyping: true).mistyped.count == 1)
    }
}
