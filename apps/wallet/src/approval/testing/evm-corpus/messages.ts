/** Messages and sign-ins. */

import { evil, own } from '../draw-card'
import { everything, hexOf, message, signIn } from '../evm-requests/messages'
import { member, typedData } from '../evm-requests/typed-data'
import type { Row } from './row'

export const rows: readonly Row[] = [
  ...[`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(33)}`, hexOf('pay \u202eecila')].map(
    (hex): Row => ({
      name: `a message of bytes, ${hex.slice(0, 10)} of ${hex.length / 2 - 1}`,
      request: message(hex),
      warns: ['notDecoded'],
      shows: ['We couldn’t fully read this request.', hex],
    }),
  ),
  ...(
    [
      ['with other line ends', signIn(evil, `\nResources:\n- ${everything}`).replaceAll('\n', '\r\n')],
      ['with a space behind the account', signIn(`${evil} `)],
      ['that ends with its account', `app.example wants you to sign in with your Ethereum account:\n${evil}`],
      ['whose resources begin with another sign', signIn(own, `\nResources:\n* ${everything}`)],
      ['whose resources are indented', signIn(own, `\nResources:\n - ${everything}`)],
      ['with a second URI in small letters', signIn().replace('Version', 'uri: https://evil.example\nVersion')],
    ] as const
  ).map(
    ([name, given]): Row => ({
      name: `a sign-in ${name}`,
      request: message(hexOf(given)),
      warns: ['notDecoded'],
      shows: ['We couldn’t fully read this request.'],
    }),
  ),
  ...[signIn(), signIn(own, '\nResources:\n- https://app.example/terms'), 'Hello', ''].map(
    (given): Row => ({
      name: `no warning: a message “${given.slice(0, 8)}” of ${given.length} letters`,
      request: message(hexOf(given)),
      warns: [],
      shows: [],
      hides: ['We couldn’t fully read'],
    }),
  ),

  // Keys
  ...[
    'Access zkSync account.\n\nOnly sign this message for a trusted client!',
    "Sign this message to create a key to interact with zkLink's layer2 services.",
    'Sign this message to access Loopring Exchange: 0x0BABA1Ad5bE3a5C0a66E7ac838a129Bf948f1eA4 with key nonce: 0',
    'Sign this message to access your Umbra account.',
    'Sign this message to generate your Fluidkey private payment keys.',
    'Sign this message to generate your Aztec Privacy Key.',
    'Only sign this request if you’ve initiated an action with Immutable X.',
    'XMTP : Enable Identity',
    'This signature derives your viewing key',
    'XMTP : Grant messaging access to app',
    'Enable Push Chat Profile \n0x5a1c',
    'Add this account as a Ceramic authentication method',
    'Allow this account to control your identity',
    'Login to Hinkal Protocol',
    'Sign this message in order to obtain the keys to your Panther wallet.',
    'Sign to retrieve your encrypted seed',
    'Sign to generate your Semaphore identity',
    'Do not sign this message on any other website',
    'This does not give us access to your private key. It generates the key of your account here.',
    'You don’t need an account, because this signature generates your key',
  ].map(
    (given): Row => ({
      name: `a key: “${given.slice(0, 40)}”`,
      request: message(hexOf(given)),
      warns: ['derivesKey'],
      shows: ['This signature is a key.'],
    }),
  ),
  ...['dYdX STARK Key', 'DYDX-STARK', 'dYdX Onboarding', 'dYdX Chain Onboarding', 'L2 Key'].map(
    (action): Row => ({
      name: `a key by typed data: ${action}`,
      request: typedData('dYdX', { types: { dYdX: [member('action', 'string')] }, message: { action } }),
      warns: ['derivesKey'],
      shows: ['This signature is a key.'],
    }),
  ),
  ...[
    'Sign in. This does not give us access to your private keys.',
    'We will never ask for your private key. Sign to log in.',
    'It will NOT give the site access to your funds or private keys',
    'Sign to prove ownership. No private key is shared.',
    'Sign in without sharing your private key',
    'By signing you accept the terms. You can’t lose access to your keys.',
    'Create your account by proving your identity',
    'Login to trade. Never share your seed phrase with anyone.',
  ].map(
    (given): Row => ({
      name: `no warning: “${given}”`,
      request: message(hexOf(given)),
      warns: [],
      shows: ['Sign a message'],
      hides: ['This signature is a key.'],
    }),
  ),
  {
    name: 'a key by typed data that names its only site',
    request: typedData('Login', {
      types: { Login: [member('onlySignOn', 'string')] },
      message: { onlySignOn: 'https://trade.example' },
    }),
    warns: ['derivesKey'],
    shows: ['This signature is a key.'],
  },

  // Networks of sign-ins
  ...['1', '137'].map(
    (chainId): Row => ({
      name: `no warning: a plain account’s sign-in for chain ${chainId} on Base`,
      request: { ...message(hexOf(signIn().replace('Chain ID: 1', `Chain ID: ${chainId}`))), networkId: 'eip155:8453' },
      warns: [],
      shows: [`Chain ID | ${chainId} |`],
      hides: ['another network'],
    }),
  ),
  {
    name: 'a smart account’s sign-in for another network',
    request: {
      ...message(hexOf(signIn()), 'smartAccount'),
      networkId: 'eip155:8453',
    },
    warns: ['otherNetwork'],
    shows: ['chain ID 1'],
  },
  ...['01', 'eip155:1', '1 '].map(
    (chainId): Row => ({
      name: `a sign-in for chain ${chainId}`,
      request: message(hexOf(signIn().replace('Chain ID: 1', `Chain ID: ${chainId}`))),
      warns: ['otherNetwork'],
      shows: ['This sign-in names another network.', `chain ID ${chainId.trim()}`],
    }),
  ),
  {
    name: 'a sign-in that names two networks',
    request: message(hexOf(signIn().replace('Chain ID: 1', 'Chain ID: 1\nChain ID: 10'))),
    warns: ['otherNetwork'],
    shows: ['chain ID 10'],
  },
  ...[' ', '\t'].map(
    (space): Row => ({
      name: `a permission behind ${JSON.stringify(space)}`,
      request: message(hexOf(signIn(own, `\nResources:\n- ${space}${everything}`))),
      warns: ['signInGrants'],
      shows: ['crud/delete'],
    }),
  ),
]
