/** What waits for the owner's yes or no. */
import type { Question } from './contract'

export type Asked = Question & { readonly yes: () => Promise<void>; readonly no: () => Promise<void> }

export type Questions = {
  /** Oldest first, as the owner sees them. */
  list(): readonly Question[]
  /** One whose id waits already is not asked again. */
  ask(question: Asked): void
  /** Takes back those that nobody has to answer any more. */
  drop(test: (question: Question) => boolean): void
  /** Answers the one of that id, the oldest without one; settles when whoever asked was told. Rejects where nothing waits. */
  answer(id: number | undefined, word: 'yes' | 'no'): Promise<void>
}

/** @param onAsked hears of each new question, after `onChange`. */
export function createQuestions({
  onChange,
  onAsked,
}: {
  readonly onChange: () => void
  readonly onAsked: (id: number) => void
}): Questions {
  let asked: readonly Asked[] = []
  const drop = (test: (question: Asked) => boolean) => {
    const left = asked.filter((question) => !test(question))
    if (left.length === asked.length) return
    asked = left
    onChange()
  }
  return {
    list: () => asked.map(({ yes: _, no: __, ...question }) => question),
    ask(question) {
      if (asked.some(({ id }) => id === question.id)) return
      asked = [...asked, question]
      onChange()
      onAsked(question.id)
    },
    drop,
    async answer(id, word) {
      const question = id === undefined ? asked[0] : asked.find((other) => other.id === id)
      if (question === undefined) throw new Error('Nothing waits for an answer.')
      drop((other) => other === question)
      await question[word]()
      onChange()
    },
  }
}
