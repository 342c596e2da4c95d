/** Alphabets whose letters are taken for those of the Latin one. */
const lookalikes =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u

/** The letters of a name that look like others, each once; and `?` where it holds something that is not seen. Empty where it is what it looks like. */
export function unusualLetters(name: string): readonly string[] {
  const letters = [...new Set(name)].filter((letter) => lookalikes.test(letter))
  // A joiner between two pictures makes one of them; anywhere else it hides.
  const isHiding = /\p{Cf}/u.test(
    name.replace(/(\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu, '$1'),
  )
  return isHiding ? [...letters, '?'] : letters
}
