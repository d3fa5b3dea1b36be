// origin: 8 | undefined
enum Level { Low, High }

interface Options {
  level: Level;
  prefix?: string;
}
const options: Options = { level: Level.High, prefix: undefined };

export function format(text: string, { prefix }: Options): string {
  return prefix!.toUpperCase() + text;
}

console.log(format("x", options));
