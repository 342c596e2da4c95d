/** Marks on one letter: Vietnamese writes two, Thai and Hebrew three. */
const maxMarks = 4

/** Direction controls, invisible characters, and blank ones that count as letters. */
const hidden = /[^\P{C}\n\t]|[\u2028\u2029\u2800]|(?![\uFE0E\uFE0F])\p{DI}/u
/** One letter with its marks, marks without a letter, or any other character. */
const letters = /[\p{L}\p{N}\p{P}\p{S}]\p{M}+|\p{M}+|[^\p{M}]/gu

/**
 * Writes invisible characters, stray marks and more than four marks on a letter as code points. So no text is hidden,
 * and no stack of marks covers the line above.
 */
export function visibleText(text: string): string {
  return text.replace(letters, (found) => {
    const [first = '', ...marks] = found
    const base = hidden.test(first) || /^\p{M}/u.test(first) ? codePoint(first) : first
    return (
      base + marks.map((mark, index) => (index < maxMarks && mayFollow(first, mark) ? mark : codePoint(mark))).join('')
    )
  })
}

/** A variation selector follows a picture, another mark a letter. */
function mayFollow(base: string, mark: string): boolean {
  if (/[\uFE0E\uFE0F]/.test(mark)) return /^\p{Extended_Pictographic}/u.test(base)
  return !/^\p{M}/u.test(base) && !hidden.test(mark)
}

function codePoint(char: string): string {
  return `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
