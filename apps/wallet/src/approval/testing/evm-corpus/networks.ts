/** Where a signature is valid. */
import { evil, token } from '../draw-card'
import { encode } from '../evm-requests/calls'
import { word } from '../evm-requests/chain'
import { permit } from '../evm-requests/permits'
import { member, saltDomain, typedData } from '../evm-requests/typed-data'
import { metaTransaction } from '../evm-requests/wrapped-calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  {
    name: 'a permit that names no network',
    request: permit(50_000_000_000n, {
      domain: { name: 'USD Coin', version: '1', verifyingContract: token },
      domainType: saltDomain.slice(0, 3),
    }),
    warns: ['everyNetwork', 'unknownContract'],
    shows: ['Valid on every network.', 'Network | Any network', 'Intended for', 'USD Coin'],
    hides: ['Network | Ethereum'],
  },
  {
    name: 'a permit whose salt is no network’s number',
    request: permit(5n, {
      domain: { name: 'X', version: '1', verifyingContract: token, salt: word(987_654_321_987) },
      domainType: saltDomain,
    }),
    warns: ['everyNetwork'],
    shows: ['Network | Any network', word(987_654_321_987)],
  },
  {
    name: 'a meta transaction that names no network',
    request: metaTransaction(encode('transfer', [evil, 5n]), {
      domain: { name: 'X', version: '1', verifyingContract: token },
      domainType: saltDomain.slice(0, 3),
    }),
    warns: ['everyNetwork', 'firstTimeRecipient'],
    shows: ['Network | Any network'],
  },
  {
    name: 'data that name neither network nor contract',
    request: typedData('Mail', {
      types: { Mail: [member('text', 'string')] },
      message: { text: 'hi' },
      domain: { name: 'X' },
      domainType: [member('name', 'string')],
    }),
    warns: ['everyNetwork', 'notDecoded'],
    shows: ['Network | Any network'],
  },

  {
    name: 'a permit whose salt is this network’s number',
    request: permit(5n, {
      domain: { name: 'X', version: '1', verifyingContract: token, salt: word(1) },
      domainType: saltDomain,
    }),
    warns: ['unknownContract'],
    shows: ['Network | Ethereum', word(1)],
    hides: ['Valid on every network.'],
  },
]
