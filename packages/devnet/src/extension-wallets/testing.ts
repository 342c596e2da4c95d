import type { Question } from '@postern/evm-wallet/question'
import { createOwner } from './owner'

export function setUpOwner(
  kind: 'solana' | 'bitcoin',
  chains: readonly { readonly id: string; readonly name: string }[],
) {
  const questions: Question[] = []
  const person: { answer: (question: Question) => boolean | Promise<boolean> } = { answer: () => true }
  const stored: { value: string | null } = { value: null }
  const dependencies = {
    kind,
    name: 'Test Wallet',
    chains,
    initial: { account: 0, chain: chains[0]?.id ?? '', locked: false, autoApprove: false },
    addresses: (account: number, chain: string) => [`${chain}/${account}`],
    storage: {
      read: () => stored.value,
      write(value: string) {
        stored.value = value
      },
    },
    ask: async (question: Question, signal: AbortSignal) => {
      questions.push(question)
      return await Promise.race([
        person.answer(question),
        new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ])
    },
    origin: 'https://dapp.example',
  } as const
  return {
    owner: createOwner(dependencies),
    again: () => createOwner(dependencies),
    questions,
    person,
    stored,
  }
}

/** Fails if the promise does not reject. */
export async function refusal(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in outcome) return outcome.error
  throw new Error(`expected a refusal, got ${JSON.stringify(outcome.value)}`)
}
