/** Batched calls (EIP-5792) and asset discovery (ERC-7811). */
import type { Postern } from '@postern/client'
import { connectionView, mainAddress } from './connections'
import { member } from './namespaces'
import type { Action, Line } from './outcome'

/** In ms. */
const interval = 500
const timeout = 60_000

function account(postern: Postern): { readonly address: string; readonly chainId: string } {
  const view = connectionView(postern.getSnapshot(), 'eip155')
  const address = mainAddress(view)
  const id = view.network?.id
  if (address === null || id === undefined) throw new Error('Connect an EVM wallet first.')
  return { address, chainId: `0x${BigInt(id).toString(16)}` }
}

/** Two transfers of 0.001 ether, atomic if the wallet supports it. */
export const sendTwo =
  (postern: Postern, first: string, second: string): Action =>
  async (report) => {
    const { address, chainId } = account(postern)
    const value = `0x${(10n ** 15n).toString(16)}`
    const calls = [first, second].map((to) => ({ to, value, data: '0x' }))
    const params = [{ version: '2.0.0', from: address, chainId, atomicRequired: false, calls }]
    const id = member(await postern.eip155.request({ method: 'wallet_sendCalls', params }), 'id')
    if (typeof id !== 'string') throw new Error('The wallet returned no id.')
    const lines: Line[] = [{ label: 'Calls', value: id }]
    report({ kind: 'busy', text: 'Sent. Waiting for a block.', lines })
    report({ kind: 'done', text: await outcome(postern, id), lines })
  }

async function outcome(postern: Postern, id: string): Promise<string> {
  const until = performance.now() + timeout
  while (performance.now() < until) {
    const status = member(await postern.eip155.request({ method: 'wallet_getCallsStatus', params: [id] }), 'status')
    if (status === 200) return 'Both transfers succeeded.'
    if (typeof status === 'number' && status >= 400) throw new Error(`The calls failed (${status}).`)
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
  throw new Error('The calls are still pending.')
}

export const showCapabilities =
  (postern: Postern): Action =>
  async (report) => {
    const { address } = account(postern)
    const answer = await postern.eip155.request({ method: 'wallet_getCapabilities', params: [address] })
    report({ kind: 'done', text: 'The wallet’s capabilities, by network.', lines: linesOf(answer) })
  }

export const showAssets =
  (postern: Postern): Action =>
  async (report) => {
    const { address } = account(postern)
    const answer = await postern.eip155.request({ method: 'wallet_getAssets', params: [{ account: address }] })
    report({ kind: 'done', text: 'The wallet’s assets, by network.', lines: linesOf(answer) })
  }

function linesOf(answer: unknown): readonly Line[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.entries(answer).map(([label, value]) => ({ label, value: JSON.stringify(value) }))
}
