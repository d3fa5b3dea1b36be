// origin: 9 | 'save'
class Button {
  constructor(label, onClick) {
    this.label = label;
    this.onClick = onClick;
  }
  click() { return this.onClick(); }
}
const button = new Button("Save", "save");
console.log(button.click());
