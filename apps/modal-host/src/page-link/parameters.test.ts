import { Failure } from '@postern/protocol/failure'
import { Init } from '@postern/protocol/page-link/from-page'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseParameters } from './parameters'

const options = { projectId: 'demo', networks: ['ethereum'], colorScheme: 'light', pageWallets: [], stored: {} }
const network = { id: 'eip155:1', name: 'Ethereum', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } }

async function read(more: object) {
  const ignored: string[] = []
  try {
    const value = await parseParameters(Init, { ...options, ...more }, (paths) => ignored.push(...paths))
    return { value, ignored }
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    const { code, message } = thrown
    return { code, message, ...Object(thrown.data), ignored }
  }
}

describe('wrong options are INVALID_PARAMS and named', () => {
  it.each([
    [{ projectId: '' }, 'projectId', 'String must contain at least 1 character(s)'],
    [{ projectId: 7 }, 'projectId', 'Expected string, received number'],
    [{ projectId: undefined }, 'projectId', 'Required'],
    [{ networks: [] }, 'networks', 'Array must contain at least 1 element(s)'],
    [{ networks: 'base' }, 'networks', 'Expected array, received string'],
    [{ networks: [7] }, 'networks[0]', 'Invalid input'],
    [{ networks: ['base', { ...network, name: undefined }] }, 'networks[1].name', 'Required'],
    [{ networks: [{ ...network, id: '1' }] }, 'networks[0].id', 'Invalid input'],
    [
      { networks: [{ ...network, nativeCurrency: { ...network.nativeCurrency, decimals: '18' } }] },
      'networks[0].nativeCurrency.decimals',
      'Expected number, received string',
    ],
    [
      { networks: [{ ...network, rpcUrls: 'https://rpc.example' }] },
      'networks[0].rpcUrls',
      'Expected array, received string',
    ],
    [{ theme: { radius: 9 } }, 'theme.radius', 'Number must be less than or equal to 2'],
    [{ theme: { mode: 'dim' } }, 'theme.mode', 'Expected "light", "dark" or "auto"'],
    [{ theme: 'dark' }, 'theme', 'Expected object, received string'],
    [{ metadata: { description: 'A dapp' } }, 'metadata.name', 'Required'],
    [{ metadata: { name: 'A', icons: 'a.png' } }, 'metadata.icons', 'Expected array, received string'],
    [{ features: { email: 'yes' } }, 'features.email', 'Expected boolean, received string'],
    [
      { features: { socials: ['myspace'] } },
      'features.socials[0]',
      'Expected "google", "github", "apple", "facebook", "x" or "discord"',
    ],
    [{ customWallets: [{ id: 'mine' }] }, 'customWallets[0].name', 'Required'],
    [
      { customWallets: [{ id: 'mine', name: 'Mine', imageUrl: 'https://a.example/a.png' }] },
      'customWallets[0].imageUrl',
      'Invalid input',
    ],
    [{ connectMethodsOrder: ['mail'] }, 'connectMethodsOrder[0]', 'Expected "email", "social" or "wallet"'],
    [{ accounts: { eip155: 'Smart' } }, 'accounts.eip155', 'Expected "smart" or "eoa"'],
    [{ walletConnect: null }, 'walletConnect', 'Expected boolean, received null'],
    [{ includeWallets: [12] }, 'includeWallets[0]', 'Expected string, received number'],
  ])('%j', async (more, path, message) => {
    expect(await read(more)).toMatchObject({
      code: 'INVALID_PARAMS',
      message: `Invalid method parameters: ${path}: ${message}`,
      issues: [{ path, message }],
    })
  })

  it('all at once (spec §5)', async () => {
    const issues = [
      { path: 'theme.radius', message: 'Number must be greater than or equal to 0' },
      { path: 'walletConnect', message: 'Expected boolean, received number' },
    ]
    expect(await read({ theme: { radius: -1 }, walletConnect: 1, unknown: 1 })).toMatchObject({ issues })
  })

  it('without a path, the whole', async () => {
    await expect(parseParameters(Init, 7)).rejects.toMatchObject({
      message: 'Invalid method parameters: Expected object, received number',
    })
  })
})

describe('unknown keys are left out', () => {
  it('at every depth, and reported', async () => {
    const { value, ignored } = await read({
      metadata: { name: 'A dapp', redirect: { native: 'app://' } },
      theme: { colour: 'red', accent: 'red' },
      networks: ['base', { ...network, icon: 'x', nativeCurrency: { ...network.nativeCurrency, wei: 1 } }],
      debug: true,
    })
    expect(value).toMatchObject({ theme: { accent: 'red' }, networks: ['base', network] })
    expect(value).not.toHaveProperty('debug')
    expect(new Set(ignored)).toEqual(
      new Set(['metadata.redirect', 'theme.colour', 'networks[1].icon', 'networks[1].nativeCurrency.wei', 'debug']),
    )
  })

  it('and nothing is reported without one', async () => {
    expect(await read({})).toEqual({ value: options, ignored: [] })
  })
})

it('always ends with the value or INVALID_PARAMS', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.object({ withNullPrototype: true, maxDepth: 4 }),
      fc.constantFrom('theme', 'networks', 'features', ''),
      async (any, at) => {
        const { code, value } = await read(at === '' ? any : at === 'networks' ? { networks: [any] } : { [at]: any })
        expect(code === 'INVALID_PARAMS' || value !== undefined).toBe(true)
      },
    ),
  )
})
