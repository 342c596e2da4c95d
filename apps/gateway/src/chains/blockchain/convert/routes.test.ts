import { errors } from '@postern/protocol'
import { expect, it } from 'vitest'
import { Problem } from '../../../platform/http/problem'
import { readToken } from './routes'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

it('reads an EVM token in any letter case', () => {
  expect(readToken(`eip155:1:${token.toLowerCase()}`, 'from')).toEqual({ chainId: 'eip155:1', token })
})

it.each([
  ['', errors.INVALID_CAIP_ADDRESS],
  [token, errors.INVALID_CAIP_ADDRESS],
  [`ethereum:1:${token}`, errors.INVALID_CAIP_ADDRESS],
  ['eip155:1:0x12', errors.INVALID_CAIP_ADDRESS],
  [`eip155::${token}`, errors.INVALID_CAIP_ADDRESS],
  [
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    errors.SWAP_NETWORK_NOT_SUPPORTED,
  ],
])('rejects %j with the catalogue’s message', (text, { message }) => {
  expect(() => readToken(text, 'from')).toThrow(new Problem(400, [{ name: 'from', description: message }]))
})
