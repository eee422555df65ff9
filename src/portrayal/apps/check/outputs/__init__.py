"""The result for people and for machines: lines, Markdown, JSON, JUnit and SARIF."""
