// @vitest-environment happy-dom
import { setImmediate } from 'node:timers/promises'
import { defaultFeatures, limits, type Nft, type TransactionItem } from '@postern/protocol'
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  address,
  arrival,
  button,
  connected,
  dialog,
  ethereum,
  mount,
  press,
  text,
  title,
} from '../../boot/testing/mount-app'
import type { HostSnapshot } from '../../snapshot/contract'
import type { BlockchainApi } from '../../snapshot/money'
import { embeddedUser } from '../../testing/snapshot'
import { noon, testMoney } from '../testing/test-money'

beforeEach(() => vi.setSystemTime(noon))

const nothing: Pick<BlockchainApi, 'balance' | 'nfts' | 'history' | 'identity'> = {
  balance: async () => ({ balances: [] }),
  nfts: async () => ({ nfts: [], next: null }),
  history: async () => ({ data: [], next: null }),
  identity: async () => ({ name: null, avatar: null }),
}

async function account(api: Partial<BlockchainApi> = {}, changes: Partial<HostSnapshot> = {}) {
  const requests = {
    balance: vi.fn(api.balance ?? nothing.balance),
    nfts: vi.fn(api.nfts ?? nothing.nfts),
    history: vi.fn(api.history ?? nothing.history),
    identity: vi.fn(api.identity ?? nothing.identity),
  }
  const { supportedChains } = api
  const reached = supportedChains && { supportedChains }
  const money = testMoney({ api: { ...requests, ...reached } })
  const app = await mount({ connections: { eip155: connected }, ...changes }, money)
  await app.open('Account')
  await arrival(() => expect(requests.balance).toHaveBeenCalled())
  return { ...app, ...requests }
}

const embedded = embeddedUser({ email: null })

const tabs = () => [...dialog().querySelectorAll('[role=tab]')].map((tab) => tab.textContent)

let mined = noon
function transaction(id: string, changes: Partial<TransactionItem['metadata']> = {}, isSpam = false): TransactionItem {
  const metadata = {
    operationType: 'receive',
    hash: `0x${id.padStart(64, '0')}`,
    status: 'confirmed',
    sentFrom: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    sentTo: '0x02',
    minedAt: new Date(mined++).toISOString(),
    chain: 'eip155:1',
    ...changes,
  } as const
  const ether = { fungible_info: { symbol: 'ETH' }, direction: 'in', quantity: { numeric: '1.5' } } as const
  const lure = {
    nft_info: { name: `Lure ${id}`, flags: { is_spam: true } },
    direction: 'in',
    quantity: { numeric: '1' },
  } as const
  return { id, metadata, transfers: [isSpam ? lure : ether] }
}

const nft: Nft = {
  chainId: 'eip155:1',
  contract: 'eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  tokenId: '7',
  name: '<img src=x onerror=alert(1)>\u202eStone',
  collection: 'Stones',
  description: '<script>alert(1)</script>',
  imageUrl: '/v1/nft-image/eip155%3A1%3Ax?projectId=demo',
  attributes: [
    { name: 'Colour', value: 'Red' },
    { name: 'Colour', value: '\u2066Blue' },
  ],
}

describe('the tabs of Account', () => {
  it('shows three tabs, and loads only the open one (spec §2)', async () => {
    const { nfts, history } = await account()
    expect(tabs()).toEqual(['Tokens', 'NFTs', 'Activity'])
    expect(nfts).not.toHaveBeenCalled()
    expect(history).not.toHaveBeenCalled()
    await press('NFTs')
    await arrival(() => expect(text()).toContain('No NFTs yet'))
    await press('Activity')
    await arrival(() => expect(text()).toContain('No activity yet'))
    expect(nfts).toHaveBeenCalledTimes(1)
    expect(history).toHaveBeenCalledTimes(1)
  })

  it('says whether a list is empty or could not be looked up', async () => {
    const supportedChains = vi.fn(async () => ({ http: ['eip155:10'], ws: [] }))
    const { set } = await account({ supportedChains })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('NFTs aren’t shown here'))
    await press('Activity')
    await arrival(() => expect(text()).toContain('Activity isn’t shown here'))
    const ten = { ...ethereum, id: 10, name: 'Optimism', caipNetworkId: 'eip155:10' } as const
    await set({
      networks: [ethereum, ten],
      activeNetworkId: 'eip155:10',
      connections: { eip155: { ...connected, networkId: 'eip155:10' } },
    })
    await arrival(() => expect(text()).toContain('No activity yet'))
    expect(supportedChains).toHaveBeenCalledTimes(1)
  })

  it('shows two tabs without history, which never loads', async () => {
    const { history, set, store } = await account({}, { features: { ...defaultFeatures, history: false } })
    expect(tabs()).toEqual(['Tokens', 'NFTs'])
    await set({ moves: 1 })
    await press('NFTs')
    expect(history).not.toHaveBeenCalled()
    expect(store.getState().snackbar).toBeNull()
  })

  it('shows no tabs on a network that the dapp does not support', async () => {
    const app = await mount({ connections: { eip155: { ...connected, networkId: 'eip155:61', unsupported: true } } })
    await app.open('Account')
    expect(tabs()).toEqual([])
    expect(text()).toContain('Disconnect')
  })
})

describe('the actions of Account', () => {
  const offered = () =>
    ['Send', 'Receive', 'Swap', 'Buy'].filter((name) =>
      [...dialog().querySelectorAll('button')].some(({ textContent }) => textContent === name),
    )
  const money: HostSnapshot['money'] = { swapChainIds: ['eip155:1'], onramp: true, nameSuffix: null }

  it('shows the enabled ones', async () => {
    await account({}, { money })
    expect(offered()).toEqual(['Send', 'Receive', 'Swap', 'Buy'])
  })

  it('shows none if all are off', async () => {
    const features = { ...defaultFeatures, send: false, receive: false, swaps: false, onramp: false }
    await account({}, { money, features })
    expect(offered()).toEqual([])
  })

  it('shows no sell if the gateway has no provider', async () => {
    await account({}, { money: { ...money, onramp: false } })
    expect(offered()).not.toContain('Buy')
  })

  it('shows no swap if the gateway swaps on no such network', async () => {
    await account({}, { money: { ...money, swapChainIds: ['solana:S'] } })
    expect(offered()).not.toContain('Swap')
  })
})

describe('the identity of an account', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo='

  it('shows the name and picture of the address above it', async () => {
    const { identity } = await account({ identity: async () => ({ name: 'ada.eth', avatar: png }) })
    await arrival(() => expect(text()).toContain('ada.eth0xd8…A96045'))
    expect(dialog().querySelector('img')?.getAttribute('src')).toBe(png)
    expect(identity).toHaveBeenCalledTimes(1)
    expect(button(`Address ${connected.accounts[0]?.address}`)).toBeDefined()
  })

  it('shows the address if no service responds', async () => {
    await account({ identity: () => Promise.reject(new Error('HTTP status code: 503')) })
    expect(text()).toContain('0xd8…A96045')
    expect(dialog().querySelectorAll('img')).toHaveLength(0)
  })
})

describe('the NFTs of an account', () => {
  it('hide spam until it is asked for', async () => {
    const lure: Nft = { ...nft, tokenId: '8', name: 'Ticket of gift.example.com', isSpam: true }
    await account({ nfts: async () => ({ nfts: [nft, lure], next: null }) })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('1 spam item hidden'))
    expect(text()).not.toContain('gift')
    await press('Show')
    expect(text()).toContain('Ticket of gift.example.com')
    await press('Hide')
    expect(text()).not.toContain('gift')
  })

  it('shows untrusted text as plain text, and details on a press', async () => {
    await account({ nfts: async () => ({ nfts: [nft], next: null }) })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('<img src=x onerror=alert(1)>Stone'))
    const images = () => [...dialog().querySelectorAll('img')].map((image) => image.getAttribute('src'))
    expect(images()).toEqual([nft.imageUrl])
    await press('<img')
    await arrival(() => expect(title()).toBe('Collectible'))
    expect(text()).toContain('<script>alert(1)</script>')
    expect(text()).toContain('ColourRedColourBlue')
    expect(images()).toEqual([nft.imageUrl])
    expect(button('View on Etherscan').getAttribute('href')).toContain('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    await press('Back')
    await arrival(() => expect(text()).toContain('Stone'))
    expect(dialog().querySelector('[role=tab][aria-selected=true]')?.textContent).toBe('NFTs')
  })

  it('shows four at first, and all of them page by page in a list', async () => {
    const page = (start: number) =>
      Array.from({ length: 25 }, (_, index) => ({
        ...nft,
        tokenId: `${start + index}`,
        name: `Stone ${start + index}`,
      }))
    const { nfts } = await account({
      nfts: async ({ cursor }) => ({ nfts: page(Number(cursor ?? 0)), next: cursor === undefined ? '25' : null }),
    })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('Stone 3'))
    expect(text()).not.toContain('Stone 4')
    await press('All NFTs')
    await arrival(() => expect(text()).toContain('Stone 4'))
    expect(nfts.mock.calls.length).toBeLessThanOrEqual(2)
  })

  it('reports if a later page fails, and retries on a press', async () => {
    const stones = (from: number) =>
      Array.from({ length: 6 }, (_, index) => ({ ...nft, tokenId: `${from + index}`, name: `Stone ${from + index}` }))
    let isDown = true
    await account({
      nfts: async ({ cursor }) => {
        if (cursor === undefined) return { nfts: stones(0), next: '6' }
        if (isDown) throw new Error('HTTP status code: 503')
        return { nfts: stones(6), next: null }
      },
    })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('Stone 3'))
    await press('All NFTs')
    await arrival(() => expect(text()).toContain('Couldn’t load your NFTs'))
    expect(text()).toContain('Stone 5')
    isDown = false
    await press('Try again')
    await arrival(() => expect(text()).toContain('Stone 6'))
    expect(text()).not.toContain('Couldn’t load your NFTs')
  })

  it('stay as they were if they cannot be loaded again', async () => {
    const { nfts, set, actions } = await account({
      nfts: async () => ({ nfts: [{ ...nft, name: 'Stone 1' }], next: null }),
    })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('Stone 1'))
    nfts.mockRejectedValue(new Error('offline'))
    await set({ moves: 1 })
    await arrival(() => expect(actions.notify).toHaveBeenCalledOnce())
    // As many turns as the view takes to show the failure.
    for (let turn = 0; turn < 10; turn += 1) await act(() => setImmediate())
    expect(text()).toContain('Stone 1')
  })

  it('reports if they fail to load', async () => {
    const { actions } = await account({ nfts: () => Promise.reject(new Error('HTTP status code: 503')) })
    await press('NFTs')
    await arrival(() => expect(text()).toContain('Couldn’t load your NFTs'))
    expect(actions.notify).toHaveBeenCalledExactlyOnceWith('NFTs unavailable', 'bad')
  })
})

describe('the activity of an account', () => {
  it('groups by day, with party, amount and explorer link', async () => {
    await account({ history: async () => ({ data: [transaction('1')], next: null }) })
    await press('Activity')
    await arrival(() => expect(text()).toContain('TodayReceivedFrom 0x70…dc79C8+1.500 ETH'))
    expect(button('Received').getAttribute('href')).toBe(`https://etherscan.example/tx/0x${'1'.padStart(64, '0')}`)
  })

  it('lists this account’s pending transactions first until the history has them', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    const tracked = {
      id: 't1',
      networkId: 'eip155:1',
      from: address.toLowerCase(),
      at: noon,
      purpose: { kind: 'send', amount: '2', symbol: 'ETH', to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
      status: { kind: 'sent', hash },
    } as const
    // Created once, so that later items have later times.
    const received = transaction('1')
    const { set, history } = await account(
      { history: async () => ({ data: [received], next: null }) },
      { transactions: [{ ...tracked, id: 't2', from: '0x01' }, tracked] },
    )
    await press('Activity')
    await arrival(() => expect(text()).toContain('PendingSentTo 0x90…93b9062.000 ETHPending'))
    expect(text().split('Sent')).toHaveLength(2)
    expect(text().indexOf('Sent')).toBeLessThan(text().indexOf('Received'))
    history.mockResolvedValue({
      data: [transaction('2', { operationType: 'send', hash }), received],
      next: null,
    })
    const ended = { ...tracked, status: { kind: 'ended', hash, outcome: { kind: 'confirmed' } } } as const
    await set({ moves: 1, transactions: [ended] })
    await arrival(() => expect(text()).toMatch(/TodaySentTo 0x02/))
    expect(text()).not.toContain('Pending')
    expect(text().split('Sent')).toHaveLength(2)
  })

  it('offers to speed up or cancel what the embedded wallet has waiting, and names it to the wallet', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    const waiting = {
      networkId: 'eip155:1' as const,
      from: address,
      hash,
      newest: hash,
      to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      value: '2000000000000000000',
      isPlain: true,
    }
    const { actions, set } = await account({}, { embedded, waiting: [{ ...waiting, from: '0x01' }, waiting] })
    await press('Activity')
    await arrival(() =>
      expect(text()).toContain('PendingSentTo 0x90…93b9062.000 ETHPending(opens in a new tab)Speed upCancel'),
    )
    expect(text().split('Speed up')).toHaveLength(2)
    expect(actions.refreshWaiting).toHaveBeenCalledWith(['eip155:1'])
    await press('Speed up')
    await press('Cancel')
    const of = { networkId: 'eip155:1', hash }
    expect(actions.replaceTransaction.mock.calls).toEqual([[{ ...of, kind: 'speedUp' }], [{ ...of, kind: 'cancel' }]])
    const newest = `0x${'cd'.repeat(32)}`
    await set({ waiting: [{ ...waiting, newest, replacedBy: 'cancel' }] })
    expect(text()).toContain('Cancelling(opens in a new tab)Cancel')
    expect(text()).not.toContain('Speed up')
    await set({ waiting: [] })
    expect(text()).not.toContain('Cancel')
  })

  it('asks no wallet but the embedded one what waits', async () => {
    const { actions } = await account({ history: async () => ({ data: [transaction('1')], next: null }) })
    await press('Activity')
    await arrival(() => expect(text()).toContain('Received'))
    expect(actions.refreshWaiting).not.toHaveBeenCalled()
  })

  it('hides spam, shows how much, and reveals it on a press', async () => {
    await account({ history: async () => ({ data: [transaction('1'), transaction('2', {}, true)], next: null }) })
    await press('Activity')
    await arrival(() => expect(text()).toContain('1 spam item hidden'))
    expect(text()).not.toContain('Lure 2')
    await press('Show')
    expect(text()).toContain('+Lure 2')
    await press('Hide')
    expect(text()).not.toContain('Lure 2')
  })

  it('reports if it fails to load, and retries (spec §8)', async () => {
    const { actions, history } = await account({ history: () => Promise.reject(new Error('HTTP status code: 503')) })
    await press('Activity')
    await arrival(() => expect(text()).toContain('Couldn’t load your activity'))
    expect(actions.notify).toHaveBeenCalledExactlyOnceWith('Failed to fetch transactions', 'bad')
    history.mockResolvedValue({ data: [transaction('1')], next: null })
    vi.setSystemTime(noon + limits.connectRetryDelay)
    await arrival(() => expect(button('Try again')).toBeDefined())
    await press('Try again')
    await arrival(() => expect(text()).toContain('+1.500 ETH'))
  })

  it('renders few of ten thousand rows, and loads older pages while scrolling', async () => {
    const page = (start: number) => Array.from({ length: 5_000 }, (_, index) => transaction(`${start + index}`))
    const { history } = await account({
      history: async ({ cursor }) => ({ data: page(Number(cursor ?? 0)), next: cursor === undefined ? '5000' : null }),
    })
    await press('Activity')
    await arrival(() => expect(text()).toContain('All activity'))
    expect(dialog().querySelectorAll('[data-line]')).toHaveLength(4)
    await press('All activity')
    await arrival(() => expect(title()).toBe('Activity'))
    await arrival(() => expect(dialog().querySelectorAll('[data-line]').length).toBeGreaterThan(4))
    expect(dialog().querySelectorAll('[data-line]').length).toBeLessThan(60)
    expect(history).toHaveBeenCalledTimes(1)
  })
})
