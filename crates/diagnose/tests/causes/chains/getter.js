// origin: 7 | null
class Person {
  constructor(name) {
    this.name = name;
  }
  get words() {
    return this.name ? this.name.split(" ") : null;
  }
  initials() {
    return this.words.map((word) => word[0]);
  }
}

console.log(new Person("").initials());
