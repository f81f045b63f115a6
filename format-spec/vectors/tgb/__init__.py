"""A second implementation of the table format, written from format-spec/spec.md alone.

It exists to find where the text is not enough. It shares no code and no idea with the Java one, judges
instead of being fast, and is as long as the rules are: each module names those it keeps.
"""
