import type { EvmQuestion } from '@postern/evm-wallet/question'
import type { WalletQuestion } from './types'

type Listener = { readonly method: string | undefined; readonly tell: (question: WalletQuestion) => void }

/**
 * Questions that wait for the test.
 *
 * 1. A question settles once: by `approve`, `decline`, or its signal.
 * 2. `next` returns the oldest open question of the method, the same one until it is answered.
 *
 * @param methods what the dapp has requested so far, for the error of `next`
 */
export function createQuestions(methods: () => readonly string[]) {
  const open = new Set<WalletQuestion>()
  const listeners = new Set<Listener>()

  function ask({ method, title, rows, raw }: EvmQuestion, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const settle = (action: () => void) => {
        if (!open.delete(question)) return
        signal.removeEventListener('abort', onAbort)
        action()
      }
      const onAbort = () => settle(() => reject(signal.reason))
      const question: WalletQuestion = {
        method,
        title,
        rows,
        ...(raw !== undefined && { raw }),
        approve: () => settle(() => resolve(true)),
        decline: () => settle(() => resolve(false)),
      }
      open.add(question)
      signal.addEventListener('abort', onAbort)
      for (const listener of [...listeners]) if (matches(listener.method, question)) listener.tell(question)
    })
  }

  function next(method: string | undefined, timeoutMs: number): Promise<WalletQuestion> {
    const first = [...open].find((question) => matches(method, question))
    if (first !== undefined) return Promise.resolve(first)
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        listeners.delete(listener)
      }
      const listener: Listener = {
        method,
        tell(question) {
          end()
          resolve(question)
        },
      }
      const timer = setTimeout(() => {
        end()
        const so = methods().join(', ') || 'nothing'
        const what = method === undefined ? 'a question' : `a question of ${method}`
        reject(
          new Error(`The wallet waited ${timeoutMs} ms for ${what}. The dapp requested: ${so}. Call behave('wait').`),
        )
      }, timeoutMs)
      listeners.add(listener)
    })
  }

  return { ask, next }
}

const matches = (method: string | undefined, question: WalletQuestion) =>
  method === undefined || method === question.method
