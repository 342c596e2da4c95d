import { setImmediate } from 'node:timers/promises'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import type { RegisteredName } from '../names/registry'
import { createIdentities } from './identity'

const ada = '0x00000000000000000000000000000000000ada00'
const account = { namespace: 'eip155', address: ada } as const
const registered = (label: string, avatar?: string): RegisteredName => ({
  label,
  address: ada,
  chainId: null,
  attributes: avatar === undefined ? {} : { avatar },
  registeredAt: new Date(0),
})
/** Fetches nothing. */
const remote = { isWithinReach: () => false, text: async () => null, picture: async () => null }
const namesOf = (...names: RegisteredName[]) => ({ suffix: '.postern', of: async () => names })
const ens = (name: string | null) => ({
  nameOf: async () => name,
  addressOf: async () => null,
  avatarOf: async () => null,
})
const down = {
  ...ens(null),
  nameOf: () => Promise.reject(new UpstreamsFailedError('down')),
}

describe('identity of an address: requirement 4', () => {
  test('uses ENS first', async () => {
    const identities = createIdentities(ens('ada.eth'), namesOf(registered('lovelace')), remote, () => 0)
    expect(await identities.of(account)).toMatchObject({ name: 'ada.eth' })
  })

  test('then uses the newest name registered here, without delay', async () => {
    const names: RegisteredName[] = []
    const identities = createIdentities(ens(null), { suffix: '.postern', of: async () => names }, remote, () => 0)
    expect(await identities.of(account)).toEqual({ name: null, avatar: null })
    names.push(registered('lovelace', 'data:image/png;base64,AAAA'), registered('byron'))
    expect(await identities.of(account)).toEqual({ name: 'lovelace.postern', avatar: 'data:image/png;base64,AAAA' })
  })

  test('uses a name registered here if ENS is unreachable, and fails if it has no name here', async () => {
    const named = createIdentities(down, namesOf(registered('lovelace')), remote, () => 0)
    expect(await named.of(account)).toMatchObject({ name: 'lovelace.postern' })
    await expect(createIdentities(down, namesOf(), remote, () => 0).of(account)).rejects.toThrow(UpstreamsFailedError)
    await expect(createIdentities(down, null, remote, () => 0).of(account)).rejects.toThrow(UpstreamsFailedError)
  })

  test('is empty on other chains, and without ENS and registered names', async () => {
    const identities = createIdentities(ens('ada.eth'), namesOf(registered('lovelace')), remote, () => 0)
    expect(await identities.of({ namespace: 'solana', address: 'x' })).toEqual({ name: null, avatar: null })
    expect(await createIdentities(null, null, remote, () => 0).of(account)).toEqual({ name: null, avatar: null })
  })
})

test('a request after a failure starts a new lookup', async () => {
  let isDown = true
  const carol = getAddress(ada)
  let fail: (reason: Error) => void = () => {}
  const failing = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const one = {
    ...ens(null),
    addressOf: async () => {
      if (isDown) throw new UpstreamsFailedError('down')
      return carol
    },
    avatarOf: async () => (isDown ? failing : null),
  }
  const identities = createIdentities(one, null, remote, () => 0)
  const first = identities.resolveEns('carol.eth').then(
    () => 'found',
    () => 'failed',
  )
  expect(await Promise.race([first, setImmediate('waiting')])).toBe('waiting')
  fail(new UpstreamsFailedError('down'))
  expect(await first).toBe('failed')
  isDown = false
  expect(await identities.resolveEns('carol.eth')).toEqual({ address: carol, onChain: null, avatar: null })
})
