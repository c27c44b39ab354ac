"""Files of numbers as R, spreadsheets and NumPy write them: read exactly, or refused with line and column."""

from fractions import Fraction

import pytest

from banditproof.cli.tables import table
from banditproof.theory.errors import InvalidInput

PLAIN = [[1, Fraction(1, 2)], [2, Fraction(-1, 4)]]
READ = {
    "plain": "1,0.5\n2,-0.25\n",
    "fractions": "1,1/2\n2,-1/4\n",
    "heading": "x,y\n1,0.5\n2,-0.25\n",
    "byte-order mark": "\ufeff1,0.5\n2,-0.25\n",
    "byte-order mark and heading": "\ufeffx,y\n1,0.5\n2,-0.25\n",
    "empty lines": "\n1,0.5\n\n2,-0.25\n\n",
    "line ends of DOS": "1,0.5\r\n2,-0.25\r\n",
    "semicolons": "1;0.5\n2;-0.25\n",
    "decimal commas": "1;0,5\n2;-0,25\n",
    "decimal commas alone in the first row": "1,0;0,5\n2,0;-0,25\n",
    "decimal commas and exponents": "1;5,0e-1\n2;-2,5E-1\n",
    "tabs": "1\t0.5\n2\t-0.25\n",
    "tabs and decimal commas": "x\ty\n1\t0,5\n2\t-0,25\n",
    "blanks": "1 0.5\n2 -0.25\n",
    "blanks behind commas": "1, 0.5\n2, -0.25\n",
    "quoted": '"x","y"\n"1","0.5"\n"2","-0.25"\n',
    "bars": "1|0.5\n2|-0.25\n",
    "as Excel says what separates": "sep=;\n1;0,5\n2;-0,25\n",
    "as NumPy writes headings": "# x,y\n1,0.5\n2,-0.25\n",
    "as R numbers rows": '"","x","y"\n"1",1,0.5\n"2",2,-0.25\n',
    "as R numbers rows under a shorter heading": '"x" "y"\n"1" 1 0.5\n"2" 2 -0.25\n',
    "as pandas numbers rows": ",x,y\n0,1,0.5\n1,2,-0.25\n",
    "names of rows": "arm,x,y\nlow,1,0.5\nhigh,2,-0.25\n",
    "names of rows and no heading": "low,1,0.5\nhigh,2,-0.25\n",
    "names of rows with points": "Dr. A;1;0,5\nDr. B;2;-0,25\n",
    "an empty last column": "x,y,\n1,0.5,\n2,-0.25,\n",
}


@pytest.mark.parametrize("written", READ)
def test_a_table_is_read_exactly(tmp_path, written):
    (tmp_path / "t.csv").write_text(READ[written], encoding="utf-8", newline="")
    assert table("actions", tmp_path / "t.csv") == PLAIN


def test_what_is_left_out_is_said(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(READ["as R numbers rows"])
    table("actions", tmp_path / "t.csv")
    assert "t.csv: the first column names the rows" in capsys.readouterr().err
    (tmp_path / "t.csv").write_text('"run","x"\n1,1\n2,2\n')  # a heading says that it is data
    assert table("actions", tmp_path / "t.csv") == [[1, 1], [2, 2]] and not capsys.readouterr().err


def test_a_table_in_utf_16_and_one_in_one_column_are_read(tmp_path):
    (tmp_path / "t.csv").write_text("1;0,5\n2;-0,25\n", encoding="utf-16")
    assert table("actions", tmp_path / "t.csv") == PLAIN
    (tmp_path / "t.csv").write_text("loss\n0.5\n1\n")
    assert table("losses", tmp_path / "t.csv") == [[Fraction(1, 2)], [1]]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1,low\n1,high\n", r"actions \(t.csv, line 1, column 2\) must be a number .* got 'low'"),
        ("x,y\n1,2\n\n1,two\n", r"line 4, column 2\) .* got 'two'"),
        ("1,2\n3\n", r"rows of equal length \(2 cells in line 1\), got '1 cells in t.csv, line 2'"),
        ("x,y,z\n1,2\n3,4\n\n5,6,7\n", r"'3 cells in t.csv, line 5'"),
        ("w,x,y,z\n1,2\n3,4\n", r"heading of 4 cells, got '2 cells in t.csv, line 2'"),
        ('"1,5",2\n"3,25",4\n', r"line 1, column 1\) must be a number without a comma"),
        ('"1,500",2\n"3,000",4\n', r"line 1, column 1\) must be a number without a comma"),
        ("1,5;2\n1.5;2\n", r"one decimal sign.* 'a comma in t.csv, line 1, and a point in line 2'"),
        ("1.500,5;2\n2;3\n", r"line 1, column 1\) must be a number"),
        ("1,2\n1,NA\n", r"line 2, column 2\) .* got 'NA'"),
        ("NA,NA\n1,2\n", r"line 1, column 1\) .* got 'NA'"),
        ("NA,1\nNA,2\n", r"line 1, column 1\) .* got 'NA'"),
        ("1,2\n3,\n", r"line 2, column 2\) .* got ''"),
        ("1,inf\n3,4\n", r"line 1, column 2\) must be a finite number"),
        (",x\n3,1\n5,2\n", r"column 1\) must be under a heading, if they are data"),
        ("x,y\n", r"must be a number|with a row of numbers"),
        ("\n# nothing\n", r"with a row of numbers in every line"),
        ("", r"with a row of numbers in every line"),
    ],
)
def test_what_is_no_number_is_named_with_line_and_column(tmp_path, text, named):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InvalidInput, match=named):
        table("actions", tmp_path / "t.csv")


def test_a_file_in_another_encoding_is_named_with_its_line(tmp_path):
    (tmp_path / "t.csv").write_bytes("a;b\n1;2\nprivé;3\n".encode("latin-1"))
    with pytest.raises(InvalidInput, match="line 3' *$|line 3"):
        table("actions", tmp_path / "t.csv")
