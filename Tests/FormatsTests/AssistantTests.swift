import TestSupport
import Testing

@testable import Formats

struct AssistantTests {
    private let chatGPT = """
        [{"title": "Tides", "create_time": 1700000000.5, "mapping": {
          "r": {"id": "r", "message": null, "parent": null, "children": ["a"]},
          "a": {"id": "a", "message": {"id": "a", "author": {"role": "system"}, "create_time": null,
            "content": {"content_type": "text", "parts": [""]}}, "parent": "r", "children": ["b"]},
          "b": {"id": "b", "message": {"id": "b", "author": {"role": "user"}, "create_time": 1700000001.25,
            "content": {"content_type": "multimodal_text", "parts": [{"content_type": "image_asset_pointer"}, "low [tide]?"]},
            "metadata": {"attachments": [{"name": "a.png", "size": 5}]}}, "parent": "a", "children": ["c", "d"]},
          "c": {"id": "c", "message": {"id": "c", "author": {"role": "assistant"}, "create_time": 1700000002,
            "content": {"content_type": "text", "parts": ["at six"]}}, "parent": "b", "children": []},
          "d": {"id": "d", "message": {"id": "d", "author": {"role": "tool"}, "create_time": 1700000003,
            "content": {"content_type": "execution_output", "text": "6"}}, "parent": "b", "children": []},
          "e": {"id": "e", "message": {"id": "e", "author": {"role": "assistant"}, "create_time": 1700000004,
            "content": {"content_type": "quote", "from": {"words": "a book"}}}, "parent": "b", "children": []}
        }, "current_node": "c"},
        {"title": "", "mapping": {}, "current_node": ""}]
        """
    private let claude = """
        [{"uuid": "u1", "name": "Boats", "created_at": "2024-03-05T09:12:33.123456Z", "chat_messages": [
          {"uuid": "m1", "sender": "human", "created_at": "2024-03-05T09:12:40.000000Z", "text": "hi", "content": [],
           "attachments": [{"file_name": "a.txt", "file_size": 3}], "files": []},
          {"uuid": "m2", "sender": "assistant", "created_at": "2024-03-05T09:12:41.000000Z", "text": "hello",
           "content": [{"type": "text", "text": "hello"}, {"type": "tool_use", "name": "x"}], "attachments": []}]}]
        """

    private func converted(_ text: String, chunk: Int) throws -> Converted {
        let source = Source(["saved.json": Array(text.utf8)], isFile: true)
        #expect(AssistantFormat().recognise(source) == .certain)
        return try Converted(source, by: AssistantFormat(), chunk: chunk)
    }

    @Test(arguments: chunks) func `each conversation of ChatGPT has the messages of all its branches`(chunk: Int) throws
    {
        let converted = try converted(chatGPT, chunk: chunk)
        #expect(converted.archive.conversations.map(\.id) == ["tides", "chat"])
        let records = try #require(converted.records["tides"])
        #expect(
            records.map(IRCRecords.line) == [
                "user: [image asset pointer]\nlow [tide]?", "assistant: at six", "[tool] 6", "assistant: a book",
            ])
        #expect(records[0]["at"] as? String == "2023-11-14T22:13:21.250Z")
        #expect((records[0]["attachments"] as? [[String: Any]])?.first?["name"] as? String == "a.png")
        #expect(converted.problems.isEmpty)
    }

    @Test(arguments: chunks) func `conversations of Claude`(chunk: Int) throws {
        let converted = try converted(claude, chunk: chunk)
        #expect(converted.archive.conversations.map(\.aliases) == [["u1"]])
        let records = try #require(converted.records["boats"])
        #expect(records.map(IRCRecords.line) == ["user: hi", "assistant: hello\n[tool use]"])
        #expect((records[0]["attachments"] as? [[String: Any]])?.first?["name"] as? String == "a.txt")
        #expect(converted.problems.isEmpty)
    }

    @Test func `pasted files of Claude and texts for its tools are parts of the message`() throws {
        let text = claude.replacing("\"file_size\": 3", with: "\"extracted_content\": \"low tide\\nat six\"")
            .replacing(
                "{\"type\": \"tool_use\", \"name\": \"x\"}",
                with: """
                    {"type": "tool_use", "name": "x", "input": {"path": "a.md", "content": "# Boats"}},
                    {"type": "tool_result", "content": [{"text": "saved"}]}
                    """)
        let records = try #require(try converted(text, chunk: 64).records["boats"])
        #expect(
            records.map(IRCRecords.line) == [
                "user: hi\nlow tide\nat six", "assistant: hello\n[tool use]\na.md\n# Boats\n[tool result]\nsaved",
            ])
    }

    @Test func `other arrays are none of theirs`() {
        for text in ["[]", "[{\"title\": \"x\"}]", "{\"mapping\": {\"children\": []}}", "[{\"mapping\": 1}]"] {
            #expect(AssistantFormat().recognise(Source(["a.json": Array(text.utf8)])) == .no)
        }
    }
}
