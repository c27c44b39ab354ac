"""The report: terminal, page, Markdown and JUnit, figures and formulas."""
