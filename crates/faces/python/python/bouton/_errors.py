"""Exceptions: what is wrong, where, and what would be accepted."""

from __future__ import annotations

from typing import NoReturn


class Error(ValueError):
    """Something that is not accepted.

    Parameters
    ----------
    message : str
        What is wrong.
    text : str, optional
        The text that it is about.
    at : tuple of int, optional
        The place in it, a pair of character indices (equal if something is missing).
    accepted : str, optional
        What would be accepted.

    Examples
    --------
    >>> try:
    ...     bouton.game("CN(3,5)")
    ... except bouton.Error as error:
    ...     print(error.text, error.at)
    CN(3,5) (5, 6)
    """

    message: str
    text: str | None
    at: tuple[int, int] | None
    accepted: str | None

    def __init__(
        self,
        message: str,
        text: str | None = None,
        at: tuple[int, int] | None = None,
        accepted: str | None = None,
    ) -> None:
        super().__init__(message, text, at, accepted)
        self.message, self.text, self.at, self.accepted = message, text, at, accepted

    def __str__(self) -> str:
        lines = [self.message]
        if self.text is not None and self.at is not None and "\n" not in self.text:
            start, end = self.at
            lines += [f"  {self.text}", f"  {' ' * start}{'^' * max(end - start, 1)}"]
        elif self.text is not None:
            lines.append(f"  in: {self.text}")
        if self.accepted is not None:
            lines.append(f"accepted: {self.accepted}")
        return "\n".join(lines)


class WrongType(Error, TypeError):
    """A value of a type that is not accepted, such as a float for a number of tokens.

    Parameters
    ----------
    message : str
        What is wrong.
    text : str, optional
        The text that it is about.
    at : tuple of int, optional
        The place in it.
    accepted : str, optional
        What would be accepted.

    Examples
    --------
    >>> bouton.game("nim(2)").solve([1.0, 2])
    Traceback (most recent call last):
    bouton.WrongType: 1.0 is no whole number of tokens in nim(2)
    accepted: 2 heaps, e.g. 1,2
    """


def no_truth(what: object, question: str) -> NoReturn:
    """Raises WrongType: a value is put to `if` that is neither true nor false."""
    raise WrongType(f"{what!r} is neither true nor false", accepted=question)


class LimitReached(Error):
    """The budget ended, or the machine's memory, and there is nothing to show for it.

    Parameters
    ----------
    message : str
        Which limit was reached.
    text : str, optional
        The text that it is about.
    at : tuple of int, optional
        The place in it.
    accepted : str, optional
        What would be accepted.

    Examples
    --------
    >>> try:
    ...     bouton.game("nim(3)").nim_values(10**4, memory=1)
    ... except bouton.LimitReached as error:
    ...     print("spent")
    spent
    """


for _one in (Error, WrongType, LimitReached):
    # Where people find them.
    _one.__module__ = "bouton"
