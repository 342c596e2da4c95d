/** What holds for every EVM request. `PROPERTY_SEED` runs them with other values. */
import type { ApprovalRequest } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Warning } from '../../intent/intent'
import { type Answers, contextOf, intentOf, loadEnglish, own, textOf } from '../testing/draw-card'
import { permit2, reactor, router } from '../testing/evm-requests/addresses'
import { encode, transaction } from '../testing/evm-requests/calls'
import { chainOf } from '../testing/evm-requests/chain'
import { seaportOrder, witness } from '../testing/evm-requests/orders'
import { permit } from '../testing/evm-requests/permits'
import { type Members, member, typedData } from '../testing/evm-requests/typed-data'
import { forwardRequest, metaTransaction, safeTx, transferByAuthorization } from '../testing/evm-requests/wrapped-calls'

beforeAll(() => loadEnglish())

const hexDigits = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length }).map((all) => all.join(''))
const address = hexDigits(40)
  .map((digits) => `0x${digits}`)
  .filter((one) => BigInt(one) > 0n && one !== own)
/** Two that a person who compares the ends takes for one. */
const similar = fc
  .tuple(hexDigits(6), hexDigits(28), hexDigits(28), hexDigits(6))
  .filter(([, one, other]) => one !== other)
  .map(([head, one, other, tail]) => [`0x${head}${one}${tail}`, `0x${head}${other}${tail}`] as const)
const twoAddresses = fc.oneof(
  fc.tuple(address, address).filter(([one, other]) => one !== other),
  similar,
)
const amount = fc.oneof(fc.bigInt(0n, 2n ** 112n - 2n), fc.bigInt(0n, 1_000n))

/** What a person decides by. */
type Facts = { readonly party: string; readonly amount: bigint; readonly contract: string; readonly chainId: number }
type Shape = {
  readonly approvalRequest: (facts: Facts) => ApprovalRequest
  /** Those that the request has. */
  readonly has: readonly (keyof Facts)[]
}

const ether = 10n ** 18n
const pays = (raw: bigint, to: string) => ({ token: `0x${'0'.repeat(40)}`, endAmount: `${raw}`, recipient: to })
const call = (name: Parameters<typeof encode>[0], args: (facts: Facts) => readonly unknown[]): Shape => ({
  approvalRequest: (facts) => transaction({ to: facts.contract, data: encode(name, args(facts)) }),
  has: ['party', 'amount', 'contract'],
})
const domainOf = ({ contract, chainId }: Facts) => ({ name: 'X', version: '1', chainId, verifyingContract: contract })
const word = (value: bigint) => value.toString(16).padStart(64, '0')

const shapes: Readonly<Record<string, Shape>> = {
  payment: {
    approvalRequest: (facts) => transaction({ to: facts.party, value: facts.amount }),
    has: ['party', 'amount'],
  },
  transfer: call('transfer', ({ party, amount }) => [party, amount]),
  transferFrom: call('transferFrom', ({ party, amount }) => [own, party, amount]),
  'transferFrom of another account': call('transferFrom', ({ party, amount }) => [permit2, party, amount]),
  approve: call('approve', ({ party, amount }) => [party, amount]),
  increaseAllowance: call('increaseAllowance', ({ party, amount }) => [party, amount]),
  pieces: call('safeTransferFrom', ({ party, amount }) => [own, party, 5n, amount, '0x']),
  item: call('safeTransferFrom', ({ party, amount }) => [own, party, amount, 1n, '0x']),
  'pieces of another account': call('safeTransferFrom', ({ party, amount }) => [permit2, party, 5n, amount, '0x']),
  'approval of a collection': {
    approvalRequest: ({ contract, party }) =>
      transaction({ to: contract, data: encode('setApprovalForAll', [party, true]) }),
    has: ['party', 'contract'],
  },
  'approval of Permit2': {
    approvalRequest: ({ contract, party, amount }) =>
      transaction({ to: permit2, data: encode('approveBy2', [contract, party, amount, 9]) }),
    has: ['party', 'amount', 'contract'],
  },
  'Permit2’s form at any contract': {
    approvalRequest: ({ contract, party, amount }) =>
      transaction({ to: contract, data: encode('approveBy2', [reactor, party, amount, 9]) }),
    has: ['party', 'amount', 'contract'],
  },
  'swap at a router': {
    approvalRequest: ({ contract, party, amount }) =>
      transaction({
        to: router,
        value: ether,
        data: encode('swapExactETHForTokens', [amount, [permit2, contract], party, 9n]),
      }),
    has: ['party', 'amount', 'contract'],
  },
  'swap at any contract': call('swapExactETHForTokens', ({ party, amount }) => [amount, [permit2, reactor], party, 9n]),
  deposit: {
    approvalRequest: ({ contract, amount }) =>
      transaction({ to: contract, value: amount, data: encode('deposit', []) }),
    has: ['amount', 'contract'],
  },
  'unread call': {
    approvalRequest: ({ contract, amount, party }) =>
      transaction({ to: contract, data: `0xdeadbeef${word(amount)}${party.slice(2).padStart(64, '0')}` }),
    has: ['party', 'amount', 'contract'],
  },
  permit: {
    approvalRequest: (facts) => permit(facts.amount, { domain: domainOf(facts) }, facts.party),
    has: ['party', 'amount', 'contract', 'chainId'],
  },
  'transfer by authorization': {
    approvalRequest: ({ party, amount, contract, chainId }) =>
      transferByAuthorization({ to: party, value: amount, contract, chainId }),
    has: ['party', 'amount', 'contract', 'chainId'],
  },
  'meta transaction': {
    approvalRequest: (facts) =>
      metaTransaction(encode('transfer', [facts.party, facts.amount]), { domain: domainOf(facts) }),
    has: ['party', 'amount', 'contract', 'chainId'],
  },
  'forwarded call': {
    approvalRequest: ({ party, amount, contract }) =>
      forwardRequest({ to: contract, data: encode('approve', [party, amount]) }),
    has: ['party', 'amount', 'contract'],
  },
  'transaction of a Safe': {
    approvalRequest: ({ party, amount, contract }) =>
      safeTx({ to: party, value: `${amount}`, operation: 1, data: '0x12' }, contract),
    has: ['party', 'amount', 'contract'],
  },
  'order of pieces': {
    approvalRequest: ({ party, amount, contract }) =>
      seaportOrder(
        [{ type: 3, of: contract, id: 5n, amount }],
        [
          { type: 0, amount: ether, to: own },
          { type: 0, amount: 1n, to: party },
        ],
      ),
    has: ['party', 'amount', 'contract'],
  },
  'order with criteria': {
    approvalRequest: ({ amount, contract }) =>
      seaportOrder([{ type: 4, of: contract, id: amount, amount: 1n }], [{ type: 0, amount: ether, to: own }]),
    has: ['amount', 'contract'],
  },
  'order for another contract': {
    approvalRequest: ({ party, amount, contract }) =>
      seaportOrder([{ type: 1, of: permit2, amount }], [{ type: 0, amount: ether, to: party }], contract),
    has: ['party', 'amount', 'contract'],
  },
  'order of a reactor': {
    approvalRequest: ({ party, amount }) => witness(reactor, [pays(amount, party)]),
    has: ['party', 'amount'],
  },
  'promise of a stranger': {
    approvalRequest: ({ party, amount }) => witness(party, [pays(amount, own)]),
    has: ['party', 'amount'],
  },
}

const chain = chainOf({ symbol: 'GOLD', decimals: 6, allowance: 7n })

describe('two requests never draw the same card if they differ in', () => {
  const differing = (fact: keyof Facts) => {
    const facts = fc.record({ party: address, amount, contract: address, chainId: fc.constantFrom(1, 8453, 137) })
    const change: Readonly<Record<keyof Facts, fc.Arbitrary<readonly [Partial<Facts>, Partial<Facts>]>>> = {
      party: twoAddresses.map(([one, other]) => [{ party: one }, { party: other }] as const),
      contract: twoAddresses.map(([one, other]) => [{ contract: one }, { contract: other }] as const),
      amount: fc
        .tuple(amount, amount)
        .filter(([one, other]) => one !== other)
        .map(([one, other]) => [{ amount: one }, { amount: other }] as const),
      chainId: fc
        .tuple(fc.nat(2 ** 40), fc.nat(2 ** 40))
        .filter(([one, other]) => one !== other)
        .map(([one, other]) => [{ chainId: one }, { chainId: other }] as const),
    }
    return fc.tuple(facts, change[fact], fc.boolean())
  }
  const cases = Object.entries(shapes).flatMap(([name, shape]) => shape.has.map((fact) => [fact, name, shape] as const))

  it.each(cases)('the %s of a request: %s', async (fact, _name, shape) => {
    await fc.assert(
      fc.asyncProperty(differing(fact), async ([facts, [one, other], isAnswered]) => {
        const drawn = async (changed: Partial<Facts>) => {
          const request = shape.approvalRequest({ ...facts, ...changed })
          return textOf(request, await intentOf(request, contextOf(isAnswered ? chain : {})))
        }
        expect(await drawn(one)).not.toBe(await drawn(other))
      }),
      { numRuns: 10 },
    )
  })
})

describe('nothing that grants reads milder than the approval that it equals', () => {
  const token = `0x${'3'.repeat(40)}`
  const spender = `0x${'2'.repeat(40)}`
  const single = (value: bigint) =>
    typedData('PermitSingle', {
      types: {
        PermitSingle: [
          member('details', 'PermitDetails'),
          member('spender', 'address'),
          member('sigDeadline', 'uint256'),
        ],
        PermitDetails: [
          member('token', 'address'),
          member('amount', 'uint160'),
          member('expiration', 'uint48'),
          member('nonce', 'uint48'),
        ],
      },
      message: { details: { token, amount: `${value}`, expiration: '9', nonce: '0' }, spender, sigDeadline: '9' },
      domain: { name: 'Permit2', version: '1', chainId: 1, verifyingContract: permit2 },
    })
  const inner = (value: bigint) => encode('approve', [spender, value])
  const equals: Readonly<Record<string, (value: bigint) => ApprovalRequest>> = {
    permit: (value) => permit(value),
    'permit of Permit2': single,
    'approval of Permit2': (value) =>
      transaction({ to: permit2, data: encode('approveBy2', [token, spender, value, 9]) }),
    increase: (value) => transaction({ to: token, data: encode('increaseAllowance', [spender, value]) }),
    'meta transaction': (value) => metaTransaction(inner(value)),
    'forwarded call': (value) => forwardRequest({ to: token, data: inner(value) }),
    'transaction of a Safe': (value) => safeTx({ to: token, data: inner(value) }),
    'promise of a stranger': (value) => witnessOf(value),
  }
  const witnessOf = (value: bigint) =>
    typedData('PermitWitnessTransferFrom', {
      types: {
        PermitWitnessTransferFrom: [
          member('permitted', 'TokenPermissions'),
          member('spender', 'address'),
          member('deadline', 'uint256'),
          member('witness', 'W'),
        ],
        TokenPermissions: [member('token', 'address'), member('amount', 'uint256')],
        W: [member('note', 'string')],
      },
      message: { permitted: { token, amount: `${value}` }, spender, deadline: '9', witness: { note: 'free mint' } },
      domain: { name: 'Permit2', version: '1', chainId: 1, verifyingContract: permit2 },
    })
  const values = fc.oneof(
    fc.bigInt(1n, 2n ** 160n - 1n),
    fc.integer({ min: 1, max: 159 }).map((bits) => 2n ** BigInt(bits) - 1n),
    fc.bigInt(1n, 3_000n),
  )
  const chains: fc.Arbitrary<Answers> = fc.constantFrom<Answers>(
    {},
    chainOf({ symbol: 'GOLD', decimals: 6, allowance: 0n, balance: 1_000n, supply: 2_000n }),
    chainOf({ symbol: 'GOLD', decimals: 6, allowance: 0n }),
  )

  it.each(Object.entries(equals))('%s', async (_name, grant) => {
    await fc.assert(
      fc.asyncProperty(values, chains, fc.boolean(), async (value, answers, isKnown) => {
        const context = contextOf(answers, { known: { recipients: [], contracts: isKnown ? [spender] : [] } })
        const plain = await intentOf(transaction({ to: token, data: inner(value) }), context)
        const granted = await intentOf(grant(value), context)
        // Only a token that may be a collection leaves open what the number is.
        const expected = plain.warnings.filter(({ kind }) => kind !== 'amountOrItem')
        expect(granted.warnings).toEqual(expect.arrayContaining<Warning>([...expected]))
      }),
      { numRuns: 30 },
    )
  })
})

describe('typed data that no reader maps', () => {
  const contract = `0x${'5'.repeat(40)}`
  const elementary = fc.constantFrom('address', 'uint256', 'bytes32', 'bool', 'string', 'bytes', 'uint8')
  const sample: Readonly<Record<string, unknown>> = {
    address: contract,
    uint256: '5',
    bytes32: `0x${'0'.repeat(64)}`,
    bool: true,
    string: 'hi',
    bytes: '0x12',
    uint8: 1,
  }
  const names = fc.constantFrom(
    ...['Permit', 'Order', 'SafeTx', 'MetaTransaction', 'ForwardRequest', 'TransferWithAuthorization', 'Root', 'Mail'],
    ...['CancelAuthorization', 'OrderComponents', 'BulkOrder', 'PermitSingle', 'PermitWitnessTransferFrom', 'Login'],
  )
  const fields = fc.constantFrom(
    ...['owner', 'spender', 'value', 'nonce', 'deadline', 'from', 'to', 'data', 'operation', 'authorizer', 'x', 'y'],
  )
  const members: fc.Arbitrary<Members> = fc.uniqueArray(
    fc.tuple(fields, elementary).map(([name, type]) => member(name, type)),
    { minLength: 1, maxLength: 6, selector: ({ name }) => name },
  )

  it('has a warning that stays, whatever the user has called before', async () => {
    await fc.assert(
      fc.asyncProperty(names, members, fc.boolean(), async (primaryType, given, hasContract) => {
        const request = typedData(primaryType, {
          types: { [primaryType]: given },
          message: Object.fromEntries(given.map(({ name, type }) => [name, sample[type]])),
          domain: { name: 'X', version: '1', chainId: 1, ...(hasContract && { verifyingContract: contract }) },
        })
        const known = { recipients: [contract, own], contracts: [contract, own] }
        const { warnings, steps } = await intentOf(request, contextOf({}, { known, own: [own] }))
        // The reader of a forwarded request takes members in any order.
        const isMapped = steps.some((step) => step.kind === 'typedData' && step.isRead)
        if (!isMapped) expect(warnings.map(({ kind }) => kind)).toContain('notDecoded')
        const draws = textOf(approvalRequest(request.subject), await intentOf(request))
        expect(draws).toContain('Intended for')
      }),
      { numRuns: 200 },
    )
  })
})
