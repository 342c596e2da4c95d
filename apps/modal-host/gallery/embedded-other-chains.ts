/** Bitcoin and Solana requests. */
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
        name: 'SetComputeUnitLimit',
        fields: [{ name: 'units', value: '200000' }],
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
/** Gives a program the account, without moving funds. */
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
/** Unknown program: the view must not claim all effects. */
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
