// @vitest-environment happy-dom
import type { Connection } from '@postern/protocol'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { address, arrival, button, connected, dialog, mount, press, text } from '../../boot/testing/mount-app'
import { layoutQrCode } from '../../view-kit/pairing/qr-code-layout'
import { receiveAddresses } from './addresses'

const solana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
const payment = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const ordinals = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const onSolana: Connection = {
  status: 'connected',
  connector: connected.connector,
  accounts: [{ namespace: 'solana', address: solana, type: 'eoa' }],
  networkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
}
const onBitcoin: Connection = {
  status: 'connected',
  connector: connected.connector,
  accounts: [
    { namespace: 'bip122', address: payment, type: 'payment' },
    { namespace: 'bip122', address: ordinals, type: 'ordinals' },
  ],
  networkId: 'bip122:000000000019d6689c085ae165831e93',
}

const drawn = () => dialog().querySelector('svg[role=img] path')?.getAttribute('d')

const { navigator } = globalThis
// Only this stub: the others last for the file.
afterEach(() => void vi.stubGlobal('navigator', navigator))

describe('receiving', () => {
  it('shows the full address, its QR code and its network', async () => {
    const app = await mount({ connections: { eip155: connected } })
    await app.open('Receive')
    await arrival(() => expect(text()).toContain('Only send assets on Ethereum.'))
    expect(drawn()).toBe(layoutQrCode(address).dots)
    expect(dialog().querySelector('bdi')?.textContent).toBe(address)
    expect(dialog().querySelector('[role=tablist]')).toBeNull()
  })

  it('lists every connected chain, with ordinals apart from payments', async () => {
    const app = await mount({ connections: { eip155: connected, solana: onSolana, bip122: onBitcoin } })
    await app.open('Receive')
    await arrival(() => expect(dialog().querySelectorAll('[role=tab]')).toHaveLength(4))
    await press('Solana')
    expect(drawn()).toBe(layoutQrCode(solana).dots)
    await press('Bitcoin')
    expect(drawn()).toBe(layoutQrCode(payment).dots)
    await press('Ordinals')
    expect(drawn()).toBe(layoutQrCode(ordinals).dots)
    expect(text()).toContain('For Ordinals only.')
  })

  it('copies and confirms', async () => {
    const writeText = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    const app = await mount({ connections: { eip155: connected } })
    await app.open('Receive')
    await arrival(() => expect(text()).toContain('Copy'))
    await press('Copy')
    await arrival(() => expect(text()).toContain('Copied'))
    expect(writeText).toHaveBeenCalledWith(address)
  })

  it('shares if the browser can', async () => {
    const share = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', { canShare: () => true, share })
    const app = await mount({ connections: { eip155: connected } })
    await app.open('Receive')
    await arrival(() => expect(button('Share')).toBeTruthy())
    await press('Share')
    expect(share).toHaveBeenCalledWith({ text: address })
  })
})

it('receiveAddresses: lists the active chain first and each address once', () => {
  const connection = (namespace: 'eip155' | 'solana', own: string) => ({
    namespace,
    account: { namespace, address: own, type: 'eoa' as const },
    accounts: [{ namespace, address: own, type: 'eoa' as const }],
    connector: null,
    networkId: null,
    unsupported: false,
  })
  const all = [connection('eip155', address), connection('solana', solana)]
  expect(receiveAddresses(all, [], 'solana').map(({ id }) => id)).toEqual(['solana', 'eip155'])
})
