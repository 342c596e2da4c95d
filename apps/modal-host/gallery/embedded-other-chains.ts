import { approval, intent, request } from './embedded-fixtures'
import { bitcoinNetwork, solanaNetwork } from './fixtures'

export const psbt = approval(
  intent(
    [
      {
        kind: 'outputs',
        outputs: [
          {
            to: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
            amount: { raw: '1500000', decimals: 8, symbol: 'BTC' },
            own: false,
          },
          {
            to: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
            amount: { raw: '46698200', decimals: 8, symbol: 'BTC' },
            own: true,
          },
        ],
        fee: { raw: '1800', decimals: 8, symbol: 'BTC' },
      },
    ],
    {
      changes: {
        kind: 'known',
        changes: [{ direction: 'out', amount: { raw: '1501800', decimals: 8, symbol: 'BTC' } }],
      },
      fee: { amount: { raw: '1800', decimals: 8, symbol: 'BTC' }, sponsored: false },
      warnings: [{ kind: 'unusualSighash' }],
    },
  ),
  {
    request: request(
      {
        kind: 'bip122.psbt',
        address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        psbt: 'cHNidP8=',
        inputs: [{ index: 0 }],
        sends: true,
      },
      { networkId: bitcoinNetwork.caipNetworkId, method: 'sendTransfer' },
    ),
  },
)
const solanaRequest = request(
  {
    kind: 'solana.transactions',
    address: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    transactions: ['AQAB'],
    sends: true,
  },
  { networkId: solanaNetwork.caipNetworkId },
)
const solanaFee = { amount: { raw: '5000', decimals: 9, symbol: 'SOL' }, sponsored: false }
const thief = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
export const instructions = approval(
  intent(
    [
      {
        kind: 'instruction',
        program: 'ComputeBudget111111111111111111111111111111',
        name: 'Compute budget',
        fields: [{ name: 'compute unit limit', value: '200000' }],
        isHarmless: true,
      },
      {
        kind: 'transfer',
        to: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
        amount: { raw: '1500000000', decimals: 9, symbol: 'SOL' },
      },
    ],
    { fee: solanaFee },
  ),
  { request: solanaRequest },
)
/** Gives the account to a program, without moving funds. */
export const givenAway = approval(
  intent(
    [
      {
        kind: 'instruction',
        program: '11111111111111111111111111111111',
        name: 'Assign account to a program',
        fields: [
          { name: 'new owner', value: thief },
          { name: 'account 1', value: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU' },
        ],
      },
    ],
    { fee: { ...solanaFee, sponsored: true }, warnings: [{ kind: 'givesControl', to: thief }] },
  ),
  { request: solanaRequest },
)
/** Unknown program: the view must not claim to show all effects. */
export const partlyKnown = approval(
  intent(
    [
      {
        kind: 'instruction',
        program: thief,
        fields: [
          { name: 'data', value: 'f8c69e91e17587c8' },
          { name: 'account 1', value: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU' },
        ],
      },
    ],
    {
      fee: solanaFee,
      warnings: [{ kind: 'notDecoded' }, { kind: 'unknownContract', contract: thief }],
      changes: {
        kind: 'known',
        partial: true,
        changes: [{ direction: 'out', amount: { raw: '1500005000', decimals: 9, symbol: 'SOL' } }],
      },
    },
  ),
  { request: solanaRequest },
)
/** The fee cannot be read, and only the chain knows the recipient. */
export const unknownParts = approval(
  intent(
    [
      {
        kind: 'instruction',
        program: 'ComputeBudget111111111111111111111111111111',
        name: 'Compute budget',
        fields: [{ name: 'data', value: '0001020304' }],
      },
      {
        kind: 'transfer',
        to: `entry 3 of lookup table ${thief}`,
        amount: { raw: '1500000000', decimals: 9, symbol: 'SOL' },
      },
    ],
    {
      fee: 'unknown',
      warnings: [
        { kind: 'unknownRecipient', recipient: `entry 3 of lookup table ${thief}` },
        { kind: 'unknownFee' },
        { kind: 'notDecoded' },
      ],
      changes: { kind: 'unknown' },
    },
  ),
  { request: solanaRequest },
)
export const closedAccount = approval(
  intent(
    [
      {
        kind: 'transfer',
        to: thief,
        amount: { raw: '7002039280', decimals: 9, symbol: 'SOL', everything: true },
      },
      {
        kind: 'instruction',
        program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        name: 'Close token account',
        fields: [
          { name: 'account 1', value: 'FJ8xXxLQx4YmTbZ5h4qL1sUuHqQbDq1bV8cQ7sD8bYpN' },
          { name: 'account 2', value: thief },
        ],
        isHarmless: true,
      },
    ],
    { fee: solanaFee, warnings: [{ kind: 'firstTimeRecipient', recipient: thief }], changes: { kind: 'unknown' } },
  ),
  { request: solanaRequest },
)
const futureAddress = 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'
/** To an address of an unknown kind, and not before 2096. */
export const futurePsbt = approval(
  intent(
    [
      {
        kind: 'outputs',
        outputs: [{ to: futureAddress, amount: { raw: '1500000', decimals: 8, symbol: 'BTC' }, own: false }],
        fee: { raw: '1800', decimals: 8, symbol: 'BTC' },
      },
    ],
    {
      changes: {
        kind: 'known',
        changes: [{ direction: 'out', amount: { raw: '1501800', decimals: 8, symbol: 'BTC' } }],
      },
      fee: { amount: { raw: '1800', decimals: 8, symbol: 'BTC' }, sponsored: false },
      warnings: [
        { kind: 'anyoneCanSpend', recipient: futureAddress },
        { kind: 'lockedUntil', time: 4_000_000_000 },
        { kind: 'firstTimeRecipient', recipient: futureAddress },
      ],
    },
  ),
  { request: psbt.request },
)
