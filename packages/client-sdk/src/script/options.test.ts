import { describe, expect, test } from 'vitest'
import { readScriptOptions } from './options'

const src = 'https://modal.example/postern.js'

function read(data: Record<string, string>) {
  const complaints: string[] = []
  const options = readScriptOptions({ projectId: 'demo', networks: 'ethereum', ...data }, src, (text) =>
    complaints.push(text),
  )
  return { options, complaints }
}

describe('script tag attributes', () => {
  test('reads the required ones; the default host is the script’s origin', () => {
    expect(read({ networks: ' ethereum  eip155:31337\n' })).toEqual({
      options: { projectId: 'demo', networks: ['ethereum', 'eip155:31337'], host: 'https://modal.example' },
      complaints: [],
    })
  })

  test('reads all options', () => {
    const { options, complaints } = read({
      host: 'https://other.example/path',
      theme: 'dark',
      accent: '#123',
      radius: '0.5',
      font: 'Georgia',
      mix: 'red',
      mixStrength: '10',
      zIndex: '7',
      locale: 'de',
      name: 'Dapp',
      description: 'A dapp',
      featuredWallets: 'a b',
      includeWallets: 'c',
      excludeWallets: 'd',
      announce: 'false',
      walletConnect: 'false',
      walletPrompt: 'false',
      connectorTypeOrder: 'custom  recent',
      connectMethodsOrder: 'wallet email',
      customWallets: '[{"id":"own","name":"Own"}]',
      features: '{"swaps":false}',
      prewarm: 'intent',
    })
    expect(complaints).toEqual([])
    expect(options).toEqual({
      projectId: 'demo',
      networks: ['ethereum'],
      host: 'https://other.example',
      theme: { mode: 'dark', accent: '#123', radius: 0.5, font: 'Georgia', mix: 'red', mixStrength: 10, zIndex: 7 },
      locale: 'de',
      metadata: { name: 'Dapp', description: 'A dapp' },
      featuredWallets: ['a', 'b'],
      includeWallets: ['c'],
      excludeWallets: ['d'],
      announce: false,
      walletConnect: false,
      walletPrompt: false,
      connectorTypeOrder: ['custom', 'recent'],
      connectMethodsOrder: ['wallet', 'email'],
      customWallets: [{ id: 'own', name: 'Own' }],
      features: { swaps: false },
      prewarm: 'intent',
    })
  })

  test.each([
    ['projectId', '', 'data-project-id'],
    ['networks', ' ', 'data-networks'],
    ['theme', 'pink', 'data-theme'],
    ['radius', '3', 'data-radius'],
    ['mixStrength', 'much', 'data-mix-strength'],
    ['zIndex', '', 'data-z-index'],
    ['host', 'nowhere', 'data-host'],
    ['connectorTypeOrder', 'sponsored', 'data-connector-type-order'],
    ['connectMethodsOrder', 'sms', 'data-connect-methods-order'],
    ['customWallets', '{', 'data-custom-wallets'],
    ['customWallets', '{}', 'data-custom-wallets'],
    ['features', '[]', 'data-features'],
    ['features', 'swaps', 'data-features'],
    ['prewarm', 'never', 'data-prewarm'],
  ])('ignores %s="%s" with a warning that names it', (name, value, attribute) => {
    const { options, complaints } = read({ [name]: value })
    expect(complaints).toEqual([expect.stringContaining(attribute)])
    expect(options.theme).toBeUndefined()
    expect(options).not.toHaveProperty(
      ['connectorTypeOrder', 'connectMethodsOrder', 'customWallets', 'features', 'prewarm'].includes(name)
        ? name
        : 'none',
    )
    expect(options.host).toBe('https://modal.example')
  })
})
