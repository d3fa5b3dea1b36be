// origin: 9 | null
class List {
  constructor() {
    this.head = new Node(1);
  }
}
class Node {
  constructor(value) {
    this.next = null;
    this.value = value;
  }
}

const list = new List();
list.head.next.next = new Node(3);
