// expect: NotEnough | 8 | raised
class NotEnough extends Error {
  constructor(message) {
    super(message);
    this.name = "NotEnough";
  }
}
throw new NotEnough("only three");
