// origin: 10 | 'fast'
class Engine {
  static MODES = { slow: { rpm: 1 }, quick: { rpm: 5 } };

  static rpm(mode) {
    return Engine.MODES[mode].rpm;
  }
}

const settings = { mode: "fast" };
console.log(Engine.rpm(settings.mode));
