import { expect, test } from 'vitest'
import type { Modal } from '../modal/contract'
import { createModalCalls } from './modal-calls'

const unused = () => expect.unreachable()

function modalThatAnswers(request: Modal['request']): Modal {
  const rest = { wallets: unused, wallet: unused, sendWallets: unused, draw: unused, destroy: unused }
  return {
    request,
    ...{
      open: unused,
      connect: unused,
      pay: unused,
      rpc: unused,
      getWallets: unused,
      getProfile: unused,
      load: unused,
      dismiss: unused,
    },
    ...rest,
  }
}

test('getIdentityToken asks for the user only if the dapp says so, and else as older pages do', async () => {
  const sent: unknown[] = []
  const modal = modalThatAnswers(async (...asked) => {
    sent.push(asked)
    return 'a.b.c'
  })
  const { api } = createModalCalls(async () => modal, unused)
  for (const options of [undefined, {}, { user: false }, { user: true }] as const)
    expect(await api.getIdentityToken(options)).toBe('a.b.c')
  const plain = ['getIdentityToken', null]
  expect(sent).toEqual([plain, plain, plain, ['getIdentityToken', { user: true }]])
})
