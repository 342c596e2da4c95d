import type { Question } from './contract'

export type PendingQuestion = Question & { readonly yes: () => Promise<void>; readonly no: () => Promise<void> }

export type Questions = {
  /** Oldest first. */
  list(): readonly Question[]
  /** Ignores an id that is already pending. */
  ask(question: PendingQuestion): void
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
  let pending: readonly PendingQuestion[] = []
  const drop = (test: (question: PendingQuestion) => boolean) => {
    const left = pending.filter((question) => !test(question))
    if (left.length === pending.length) return
    pending = left
    onChange()
  }
  return {
    list: () => pending.map(({ yes: _, no: __, ...question }) => question),
    ask(question) {
      if (pending.some(({ id }) => id === question.id)) return
      pending = [...pending, question]
      onChange()
      onAsked(question.id)
    },
    drop,
    async answer(id, word) {
      const question = id === undefined ? pending[0] : pending.find((other) => other.id === id)
      if (question === undefined) throw new Error('No question is pending.')
      drop((other) => other === question)
      await question[word]()
      onChange()
    },
  }
}
