import { expect, test } from 'vitest'
import { joinControls } from './controls'
import { refusal, setUpOwner } from './testing'

const chains = [
  { id: 'bitcoin:regtest', name: 'Regtest' },
  { id: 'bitcoin:testnet', name: 'Testnet' },
]

test('1, 2. shows nothing until the user approves, or while locked', async () => {
  const { owner, questions, person } = setUpOwner('bitcoin', chains)
  expect(owner.visible()).toBe(null)
  expect(await owner.connect({ silent: true })).toBe(null)
  expect(() => owner.permitted()).toThrow(expect.objectContaining({ code: 4100 }))
  person.answer = () => false
  expect(await refusal(owner.connect())).toMatchObject({ code: 4001 })
  person.answer = () => true
  expect(await owner.connect()).toEqual({ account: 0, chain: 'bitcoin:regtest' })
  expect(questions.map(({ title }) => title)).toEqual(['Connect to this site', 'Connect to this site'])
  owner.controls.lock()
  expect(owner.visible()).toBe(null)
  await owner.connect()
  expect(questions.at(-1)?.title).toBe('Unlock the wallet')
  expect(owner.visible()).not.toBe(null)
})

test('2. one connection question at a time, and vanishing ends it', async () => {
  const { owner, person } = setUpOwner('bitcoin', chains)
  person.answer = () => new Promise(() => undefined)
  const waiting = owner.connect()
  expect(await refusal(owner.connect())).toMatchObject({ code: -32002 })
  owner.controls.vanish()
  expect(await refusal(waiting)).toMatchObject({ code: 4900 })
  expect(await refusal(owner.connect())).toMatchObject({ code: 4900 })
})

test('3. reports only changes visible to a dapp', async () => {
  const { owner } = setUpOwner('bitcoin', chains)
  const events: unknown[] = []
  owner.listen((visible) => events.push(visible))
  owner.controls.switchAccount(1)
  owner.controls.setAutoApprove(true)
  expect(events).toEqual([])
  await owner.connect()
  owner.controls.switchAccount(2)
  owner.controls.switchChain('bitcoin:testnet')
  owner.disconnect()
  expect(events).toEqual([
    { account: 1, chain: 'bitcoin:regtest' },
    { account: 2, chain: 'bitcoin:regtest' },
    { account: 2, chain: 'bitcoin:testnet' },
    null,
  ])
  expect(() => owner.controls.switchChain('bitcoin:nowhere')).toThrow(RangeError)
})

test('4. state survives a reload, but invalid stored state is ignored', async () => {
  const { owner, again, stored } = setUpOwner('bitcoin', chains)
  await owner.connect()
  owner.controls.switchAccount(3)
  expect(again().visible()).toEqual({ account: 3, chain: 'bitcoin:regtest' })
  for (const nonsense of ['{', '{"permitted":true}', stored.value?.replace('regtest', 'nowhere') ?? '']) {
    stored.value = nonsense
    expect(again().visible()).toBe(null)
  }
})

test('joined controls act on several wallets together', async () => {
  const one = setUpOwner('solana', [{ id: 'solana:localnet', name: 'Local' }])
  const two = setUpOwner('bitcoin', chains)
  const joined = joinControls('Multi', [one.owner.controls, two.owner.controls])
  let events = 0
  const end = joined.subscribe(() => events++)
  joined.switchAccount(4)
  joined.switchChain('bitcoin:testnet')
  joined.lock()
  expect(joined.snapshot()).toMatchObject({
    account: 4,
    locked: true,
    chain: 'solana:localnet',
    addresses: ['solana:localnet/4', 'bitcoin:testnet/4'],
  })
  expect(events).toBe(5)
  end()
  joined.vanish()
  expect(events).toBe(5)
  expect(await refusal(two.owner.connect())).toMatchObject({ code: 4900 })
})
