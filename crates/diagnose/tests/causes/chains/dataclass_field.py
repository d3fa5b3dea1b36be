# origin: 17 | None
from dataclasses import dataclass
from typing import Optional


@dataclass
class Person:
    name: str
    mail: Optional[str] = None


def domain(person):
    return person.mail.split("@")[1]


people = [Person("ada", "ada@example.org"),
          Person("bob", None)]
for person in people:
    print(domain(person))
