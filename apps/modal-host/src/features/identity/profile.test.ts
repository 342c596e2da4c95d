import { describe, expect, it, vi } from 'vitest'
import { testMoney } from '../testing/test-money'
import { type ProfileOptions, readProfile } from './profile'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const solana = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
const { signal } = new AbortController()
const pixels = Uint8Array.of(1, 2, 3)

function setUp(avatar: string | null, own?: string) {
  const identity = vi.fn(async () => ({ name: 'ada.eth', avatar }))
  const blob = vi.fn(async () => new Blob([pixels], { type: 'image/png' }))
  const connector = { id: 'r', name: 'Rabbit', type: 'ANNOUNCED' } as const
  const options: ProfileOptions = {
    connections: {
      eip155: {
        status: 'connected',
        connector,
        accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
        networkId: 'eip155:1',
      },
      solana: {
        status: 'connected',
        connector,
        accounts: [{ namespace: 'solana', address: solana, type: 'eoa' }],
        networkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      },
    },
    activeNetworkId: 'eip155:1',
    brand: own === undefined ? {} : { avatar: own },
    identities: testMoney({ api: { identity } }),
    http: { blob },
  }
  return { options, identity, blob, read: (of = address) => readProfile({ address: of }, options, signal) }
}

describe('readProfile', () => {
  it('gives the name, and the gateway’s picture as a data: URI', async () => {
    const { read, blob, identity } = setUp('/v1/avatar/ada.eth?projectId=demo')
    expect(await read()).toEqual({ name: 'ada.eth', avatar: 'data:image/png;base64,AQID' })
    expect(blob).toHaveBeenCalledWith('/v1/avatar/ada.eth', { signal })
    expect(identity).toHaveBeenCalledWith({ address, chainId: 'eip155:1' }, signal)
  })

  it('prefers the picture of the dapp, and loads no other', async () => {
    const { read, blob } = setUp('/v1/avatar/ada.eth', 'data:image/png;base64,own')
    expect(await read()).toEqual({ name: 'ada.eth', avatar: 'data:image/png;base64,own' })
    expect(blob).not.toHaveBeenCalled()
  })

  it('leaves out a picture that does not load, or is no image', async () => {
    const { read, blob } = setUp('/v1/avatar/ada.eth')
    blob.mockRejectedValueOnce(new Error('404'))
    expect(await read()).toEqual({ name: 'ada.eth' })
    blob.mockResolvedValueOnce(new Blob(['<svg/>'], { type: 'image/svg+xml' }))
    expect(await read()).toEqual({ name: 'ada.eth' })
  })

  it('asks nothing of an address that has no names', async () => {
    const { read, identity } = setUp(null)
    expect(await read(solana)).toEqual({})
    expect(identity).not.toHaveBeenCalled()
  })

  it('refuses an address that is not connected', async () => {
    const { read, identity } = setUp(null)
    await expect(read('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(identity).not.toHaveBeenCalled()
  })
})
