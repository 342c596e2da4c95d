import type { Connection, SocialProvider } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { createSnapshotStore } from '../snapshot/store'
import { publishWalletInfo, type WalletInfos } from './wallet-info'

const connected = (type: 'ANNOUNCED' | 'AUTH', name: string): Connection => ({
  status: 'connected',
  connector: { id: name, name, type, imageUrl: 'https://modal.test/picture' },
  accounts: [{ namespace: 'eip155', address: '0x1', type: 'eoa' }],
  networkId: 'eip155:1',
})

function setUp() {
  const store = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const published: WalletInfos[] = []
  let social: SocialProvider | null = null
  const end = publishWalletInfo(
    store,
    () => social,
    (infos) => published.push(infos),
  )
  return {
    store,
    published,
    end,
    signIn(provider: SocialProvider | null) {
      social = provider
    },
  }
}

describe('publishWalletInfo', () => {
  it('publishes name and picture of each wallet in use, once, and when it is gone (spec §3)', () => {
    const { store, published, end } = setUp()
    expect(published).toEqual([])
    store.setState({ connections: { eip155: connected('ANNOUNCED', 'Rabbit') } })
    store.setState({ connections: { eip155: connected('ANNOUNCED', 'Rabbit') } })
    store.setState({ connections: { eip155: { status: 'disconnected' } } })
    expect(published).toEqual([{ eip155: { name: 'Rabbit', icon: 'https://modal.test/picture' } }, {}])
    end()
    store.setState({ connections: { eip155: connected('ANNOUNCED', 'Rabbit') } })
    expect(published.length).toBe(2)
  })

  it('names the social provider of the embedded wallet, and of no other (spec §3)', () => {
    const { store, published, signIn } = setUp()
    signIn('google')
    store.setState({ connections: { eip155: connected('ANNOUNCED', 'Rabbit'), solana: connected('AUTH', 'Google') } })
    expect(published[0]?.eip155).not.toHaveProperty('social')
    expect(published[0]?.solana).toMatchObject({ name: 'Google', social: 'google' })
  })
})
