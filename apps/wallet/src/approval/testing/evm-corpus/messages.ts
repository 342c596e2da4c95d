/** Messages and sign-ins. */
import { evil, own } from '../draw-card'
import { everything, hexOf, message, signIn } from '../evm-requests/messages'
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
]
