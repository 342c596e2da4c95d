/** Scripts whose letters resemble Latin ones. */
const lookalikes =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u

/** The lookalikes in a name, each once, plus `?` for invisible characters. */
export function unusualLetters(name: string): readonly string[] {
  const letters = [...new Set(name)].filter((letter) => lookalikes.test(letter))
  // A joiner combines only between two emoji; elsewhere it is hidden.
  const isHiding = /\p{Cf}/u.test(
    name.replace(/(\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu, '$1'),
  )
  return isHiding ? [...letters, '?'] : letters
}
