import type { AccountOf, Input, Sign } from '../namespaces/contract'
import { requestFailure } from '../shared/failures'
import { numbered } from './router'

/** Each may need an approval. */
export function inSequence(ask: (input: Input, accountOf: AccountOf) => Promise<object>): Sign {
  return (inputs, accountOf) =>
    numbered(async () => {
      const answers: object[] = []
      for (const input of inputs) answers.push(await ask(input, accountOf))
      return answers
    })
}

/** @throws INVALID_PARAMS */
export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw requestFailure('INVALID_PARAMS')
}
