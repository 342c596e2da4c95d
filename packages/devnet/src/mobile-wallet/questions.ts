import type { Question } from './contract'

export type Asked = Question & { readonly yes: () => Promise<void>; readonly no: () => Promise<void> }

export type Questions = {
  /** Oldest first. */
  list(): readonly Question[]
  /** Ignores an id that is already pending. */
  ask(question: Asked): void
  drop(test: (question: Question) => boolean): void
  /** Default: the oldest. Resolves once the dapp was notified; rejects if nothing is pending. */
  answer(id: number | undefined, word: 'yes' | 'no'): Promise<void>
}

/** @param onAsked called after `onChange`. */
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
