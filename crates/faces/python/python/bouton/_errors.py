"""Exceptions: what is wrong, where, and what would be accepted."""

from __future__ import annotations

from typing import NoReturn


class Error(ValueError):
    """Something that is not accepted.

    `message` says what is wrong; `text` is the text it is about, if there is one; `at` is the place in it, a pair of
    character indices (equal where something is missing); `accepted` tells what would be accepted.
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
    """A value of a type that is not accepted: a float where numbers of tokens are meant, a truth value for a number."""


def no_truth(what: object, question: str) -> NoReturn:
    """Raises WrongType: a value is put to `if` that is neither true nor false."""
    raise WrongType(f"{what!r} is neither true nor false", accepted=question)


class LimitReached(Error):
    """The budget ended, or the machine's memory, and there is nothing to show for it."""


for _one in (Error, WrongType, LimitReached):
    # Where people find them.
    _one.__module__ = "bouton"
