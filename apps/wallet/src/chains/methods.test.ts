import { methodsThat } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { walletNamespaces } from '@postern/protocol/namespaces'
import { describe, expect, test } from 'vitest'
import { createChains } from './index'
import { memoryNotes } from './notes'
import { testContext } from './testing'

const networks = {
  eip155: 'eip155:1',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  bip122: 'bip122:000000000019d6689c085ae165831e93',
} as const
const chainOf = createChains({ notes: () => memoryNotes() })
/** A method with a case may be unsupported too, but says why. */
const { code, message } = new Failure('UNSUPPORTED_METHOD')

describe.each(walletNamespaces)('%s', (namespace) => {
  async function failureOf(method: string): Promise<unknown> {
    const context = testContext({ networkId: networks[namespace], smartSessions: true })
    return (await chainOf(namespace)).prepare(method, null, context).catch((thrown: unknown) => thrown)
  }

  test('prepares no method without a case', async () => {
    expect(await failureOf('postern_unknown')).toMatchObject({ code, message })
  })

  test.each(methodsThat((facts) => facts.namespace === namespace && facts.risk === 'notSafe'))(
    '%s, which needs approval, has a case',
    async (method) => {
      expect(await failureOf(method)).not.toMatchObject({ code, message })
    },
  )
})
