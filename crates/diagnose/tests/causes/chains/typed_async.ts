// origin: 8 | null
interface Page {
  id: number;
  tags: string[];
}

async function find(id: number): Promise<Page> {
  if (id > 2) return null as unknown as Page;
  return { id, tags: ["a"] } satisfies Page;
}

async function main(): Promise<void> {
  for (const id of [1, 2, 3]) {
    const found: Page = await find(id);
    console.log(found.tags.length);
  }
}

void main();
