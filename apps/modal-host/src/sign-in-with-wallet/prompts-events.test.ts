import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { address, out, setUp, signature, signing, type World } from '../testing/sign-in-world'

describe('createSignInPrompts: 11. reports the user’s actions and their outcomes, for this account on this network', () => {
  const about = { networkId: 'eip155:1', address }
  const clicked = { ...about, kind: 'signClicked' }
  const failed = (code: string) => ({ ...about, kind: 'failed', code })

  it('signed, declined, rejected by the page (spec §4)', async () => {
    const rpc = vi.fn(async () => Promise.reject(new Failure('USER_REJECTED')))
    const world = setUp({ rpc, page: { add: async () => Promise.reject(new Failure('INTERNAL')) } })
    world.connect()
    await world.asks()
    world.prompts.sign()
    await expect.poll(() => world.events).toEqual([clicked, failed('SIGNATURE_DECLINED')])
    world.ask.mockImplementation(async () => signature)
    world.prompts.sign()
    await expect.poll(() => world.events.slice(2)).toEqual([clicked, failed('SIWX_CALLBACK_FAILED')])
    world.answers.add = async () => null
    world.prompts.sign()
    await expect.poll(() => world.events.slice(4)).toEqual([clicked, { ...about, kind: 'signed' }])
  })

  it.each([true, false])('cancelled (required: %s)', async (isRequired) => {
    const world = setUp({ page: { state: async () => ({ ...out, isRequired }) } })
    world.connect()
    await world.asks()
    await world.prompts.cancel()
    expect(world.events).toEqual([{ ...about, kind: 'cancelClicked' }])
  })

  it.each([
    ['Escape', false, ({ modal }: World) => modal.close()],
    ['the dapp’s disconnect', true, ({ set }: World) => set('eip155', { status: 'disconnected' })],
    ['another account', true, ({ connect }: World) => connect('eip155:1', '0x02')],
    ['another network', true, ({ connect }: World) => connect('eip155:10')],
    [
      'another tab, which signs in',
      true,
      ({ answers, prompts }: World) => {
        answers.state = async () => ({ ...out, isSignedIn: true })
        prompts.lookAgain()
      },
    ],
  ])('nothing for a prompt that is ended by %s', async (_, isRequired, ends) => {
    const world = setUp({ page: { state: async () => ({ ...out, isRequired }) } })
    world.connect()
    await world.asks()
    ends(world)
    await expect.poll(() => world.prompt()?.networkId === 'eip155:1' && world.prompt()?.address).not.toBe(address)
    expect(world.events).toEqual([])
  })

  it('nothing if the page saves a session for an account that is gone', async () => {
    let taken = (_: null) => {}
    const add = () =>
      new Promise<null>((resolve) => {
        taken = resolve
      })
    const { world, answer } = await signing({ add })
    answer(signature)
    await expect.poll(() => world.prompt()?.step).toBe('saving')
    world.connect('eip155:1', '0x02')
    taken(null)
    await expect.poll(() => world.prompt()).toMatchObject({ address: '0x02', step: 'asked' })
    expect(world.events).toEqual([clicked])
  })

  it('no click for the embedded wallet, whose approval is the only step', async () => {
    const world = setUp({ type: 'AUTH' })
    world.connect()
    await expect.poll(() => world.events).toEqual([{ ...about, kind: 'signed' }])
    const declined = setUp({ type: 'AUTH', rpc: async () => Promise.reject(new Failure('USER_REJECTED')) })
    declined.connect()
    await expect.poll(() => declined.events).toEqual([failed('SIGNATURE_DECLINED')])
  })
})
