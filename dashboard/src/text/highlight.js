// A light hand with colours: comments, strings, numbers and keywords, line by line, for every language alike. It need not
// be right in every corner, only never wrong about the text itself: the pieces joined give the line.

const C_LIKE = 'auto break case catch class const continue default delete do else enum extends false final finally for function goto if implements import in instanceof interface let namespace new null package private protected public return static struct super switch this throw true try typedef typeof union unsigned using var virtual void volatile while yield async await of export from int char float double long short bool boolean template typename string';
const KEYWORDS = {
  python: 'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match case None nonlocal not or pass raise return True try while with yield',
  bash: 'if then else elif fi for in do done while until case esac function return local export readonly set unset shift exit echo',
  rust: 'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while i32 u32 i64 u64 usize bool str String',
  go: 'break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var string int error bool byte rune',
};
const HASH = new Set(['python', 'bash', 'ruby', 'r', 'perl']);
const grammars = new Map();

function grammar(language) {
  if (!grammars.has(language)) {
    const comment = HASH.has(language) ? '#.*' : '\\/\\/.*|\\/\\*.*?(?:\\*\\/|$)';
    const pattern = new RegExp(`(${comment})|("(?:[^"\\\\]|\\\\.)*"?|'(?:[^'\\\\]|\\\\.)*'?|\`(?:[^\`\\\\]|\\\\.)*\`?)|(\\b\\d[\\w.]*)|([A-Za-z_]\\w*)`, 'g');
    grammars.set(language, { words: new Set((KEYWORDS[language] ?? C_LIKE).split(' ')), pattern });
  }
  return grammars.get(language);
}

const LONGEST = 2000;

/** The pieces `[text, class]` of one line. */
export function highlight(line, language) {
  if (line.length > LONGEST) return [[line, '']];
  const { words, pattern } = grammar(language);
  const out = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    const style = match[1] ? 't-c' : match[2] ? 't-s' : match[3] ? 't-n' : words.has(match[4]) ? 't-k' : '';
    if (style === '') continue;
    if (match.index > at) out.push([line.slice(at, match.index), '']);
    out.push([match[0], style]);
    at = match.index + match[0].length;
  }
  if (at < line.length || out.length === 0) out.push([line.slice(at), '']);
  return out;
}

const ENDINGS = { py: 'python', pyw: 'python', js: 'javascript', mjs: 'javascript', ts: 'typescript', rs: 'rust', go: 'go', c: 'c', h: 'c', cpp: 'cpp', cc: 'cpp', java: 'java', sh: 'bash', bash: 'bash' };

/** The language that a file's name suggests. */
export function languageOf(path) {
  return ENDINGS[path?.split('.').at(-1)?.toLowerCase()] ?? '';
}
