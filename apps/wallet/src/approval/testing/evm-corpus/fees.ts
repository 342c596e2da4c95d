/** Fees. */
import { evil } from '../draw-card'
import { ether, transaction } from '../evm-requests/calls'
import type { Row } from './row'

export const rows: readonly Row[] = [
  {
    name: '0.99 ETH for a call without value',
    request: transaction(
      { to: evil, data: '0x12345678' },
      { gas: '30000000', maxFeePerGas: '33000000000', maxPriorityFeePerGas: '1' },
    ),
    warns: ['highFee'],
    shows: ['High fee'],
  },
  {
    name: '0.9 ETH for 2 ETH',
    request: transaction(
      { to: evil, value: 2n * ether },
      { gas: '30000000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1' },
    ),
    warns: ['highFee'],
    shows: ['High fee'],
  },

  {
    name: '0.6 ETH at the chain’s own price',
    request: transaction(
      { to: evil, value: 2n * ether },
      { gas: '30000000', maxFeePerGas: '20000000000', maxPriorityFeePerGas: '1' },
    ),
    answers: {
      eth_gasPrice: () => '0x4a817c800',
      eth_simulateV1: () => [{ calls: [{ status: '0x1', gasUsed: '0x1312d00', logs: [] }] }],
    },
    warns: ['highFee', 'firstTimeRecipient'],
    shows: ['Max network fee | 0.6 ETH', 'High fee'],
  },
  {
    name: '0.9 ETH at a price that the endpoint makes up',
    request: transaction(
      { to: evil, data: '0x12345678' },
      { gas: '300000', maxFeePerGas: '3000000000000', maxPriorityFeePerGas: '1' },
    ),
    answers: {
      eth_gasPrice: () => '0xffffffffffff',
      eth_simulateV1: () => [{ calls: [{ status: '0x1', gasUsed: '0xffffffff', logs: [] }] }],
    },
    warns: ['highFee'],
    shows: ['High fee'],
  },
  {
    name: 'a fee above the value, at a price that the endpoint makes up',
    request: transaction(
      { to: evil, value: 10n ** 15n },
      { gas: '21000', maxFeePerGas: '400000000000', maxPriorityFeePerGas: '1' },
    ),
    answers: { eth_gasPrice: () => '0xffffffffffff' },
    warns: ['highFee'],
    shows: ['High fee'],
  },
  {
    name: '0.45 ETH for a call without value',
    request: transaction(
      { to: evil, data: '0x12345678' },
      { gas: '30000000', maxFeePerGas: '15000000000', maxPriorityFeePerGas: '1' },
    ),
    warns: ['highFee'],
    shows: ['High fee: up to 0.45 ETH.'],
  },
  {
    name: 'a rollup fee of 0.4 ETH',
    request: transaction({ to: evil, data: '0x12345678' }, { rollup: `${4n * 10n ** 17n}`, maxFeePerGas: '1' }),
    warns: ['highFee'],
    shows: ['High fee: up to 0.4'],
  },
  {
    name: '0.06 ETH for 0.1 ETH',
    request: transaction({ to: evil, value: ether / 10n }, { gas: '21000', maxFeePerGas: '2900000000000' }),
    warns: ['highFee'],
    shows: ['High fee: up to 0.06'],
  },
  {
    name: 'no warning: a payment on a busy chain',
    request: transaction({ to: evil, value: ether }, { gas: '21000', maxFeePerGas: '200000000000' }),
    warns: [],
    shows: ['0.0042 ETH'],
    hides: ['High fee'],
  },
]
