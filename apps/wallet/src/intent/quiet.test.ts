/** Requests that once had no warning, or a weaker one than they deserve. */
import type { ApprovalSubject, CaipNetworkId } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import * as fc from 'fast-check'
import * as AbiFunction from 'ox/AbiFunction'
import { describe, expect, it } from 'vitest'
import { describeApproval } from './describe'
import type { DescribeContext, Intent, KnownParties, Warning } from './intent'

const own = '0x1111111111111111111111111111111111111111'
const evil = '0x2222222222222222222222222222222222222222'
const token = '0x3333333333333333333333333333333333333333'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const cheap = { gas: '100000', maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' }
const gwei = 10n ** 9n

type Answers = Readonly<Record<string, (params: unknown) => unknown>>

async function intentOf(
  subject: ApprovalSubject,
  answers: Answers = {},
  known: Partial<KnownParties> = {},
  networkId: CaipNetworkId = 'eip155:1',
  nativeCurrency = { symbol: 'ETH', decimals: 18 },
): Promise<Intent> {
  const request = approvalRequest(subject, { networkId })
  const rpc = {
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
      const answer = answers[method]
      if (answer === undefined) throw new Error(`${method} is not answered`)
      return answer(params)
    },
  }
  const esplora = { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) }
  const context: DescribeContext = {
    clientOf: (asked) => ({ networkId: asked, rpc, esplora }),
    nativeCurrency,
    own: [own],
    known: { recipients: [], contracts: [], ...known },
    signal: new AbortController().signal,
  }
  let last: Intent | undefined
  await describeApproval(request, context, (intent) => {
    last = intent
  })
  if (last === undefined) throw new Error('no intent')
  return last
}

const kinds = ({ warnings }: Intent) => warnings.map(({ kind }) => kind)

type Call = { readonly to: string; readonly value: string; readonly data: string }

type Fees = Extract<ApprovalSubject, { kind: 'eip155.transaction' }>['fees']

const transaction = (call: Partial<Call>, fees: Fees = cheap): ApprovalSubject => ({
  kind: 'eip155.transaction',
  from: own,
  nonce: '0',
  unsigned: '0x02',
  fees,
  call: { to: evil, value: '0', data: '0x', ...call },
})

const approve = AbiFunction.from('function approve(address spender, uint256 amount)')
const approveBy2 = AbiFunction.from(
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
)

describe('a permission for an app', () => {
  const grant = (allowance: bigint, expiry: number): ApprovalSubject => ({
    kind: 'eip155.permissions',
    action: 'grant',
    from: own,
    signer: evil,
    expiry,
    permissions: [{ type: 'erc20-token-transfer', data: { address: token, allowance: `${allowance}` } }],
    calls: [
      { to: token, value: '0', data: AbiFunction.encodeData(approve, [permit2, 5n]) },
      { to: permit2, value: '0', data: AbiFunction.encodeData(approveBy2, [token, evil, allowance, expiry]) },
    ],
    fees: cheap,
    operation: {},
    hash: '0x',
  })

  it('for everything, for ever, to a stranger says all three', async () => {
    const intent = await intentOf(grant(2n ** 160n - 1n, 2 ** 48 - 1))
    expect(kinds(intent)).toEqual(['unlimitedApproval', 'longExpiry', 'amountOrItem', 'unknownContract'])
    expect(intent.steps).toMatchObject([{ kind: 'permission', action: 'grant', signer: evil, amount: { token } }])
  })

  it('is never quieter than the equal approve', async () => {
    const allowances = fc.oneof(fc.bigInt(1n, 2n ** 160n - 1n), fc.constantFrom(2n ** 96n - 1n, 2n ** 160n - 1n, 1n))
    await fc.assert(
      fc.asyncProperty(
        allowances,
        fc.integer({ min: 1, max: 2 ** 48 - 1 }),
        fc.boolean(),
        async (allowance, expiry, isKnown) => {
          const known = isKnown ? { contracts: [evil] } : {}
          const granted = await intentOf(grant(allowance, expiry), {}, known)
          const equals: readonly ApprovalSubject[] = [
            transaction({ to: token, data: AbiFunction.encodeData(approve, [evil, allowance]) }),
            transaction({ to: permit2, data: AbiFunction.encodeData(approveBy2, [token, evil, allowance, expiry]) }),
          ]
          for (const equal of equals) {
            const approved = await intentOf(equal, {}, known)
            expect(granted.warnings).toEqual(expect.arrayContaining<Warning>([...approved.warnings]))
          }
        },
      ),
    )
  })

  it('whose calls do something else shows that', async () => {
    const subject = grant(5n, 99)
    if (subject.kind !== 'eip155.permissions') throw new Error()
    const intent = await intentOf({
      ...subject,
      calls: [...subject.calls, { to: evil, value: '7', data: '0xdeadbeef' }],
    })
    expect(kinds(intent)).toContain('notDecoded')
    expect(intent.steps).toMatchObject([{ kind: 'permission' }, { kind: 'call', contract: evil }])
  })
})

describe('the fee of an EVM transaction', () => {
  const priced = (price: bigint) => ({ gas: '300000', maxFeePerGas: `${price}`, maxPriorityFeePerGas: '1' })

  it.each([
    ['30 ETH, for no value', transaction({}, priced(100_000n * gwei)), {}, true],
    ['more than the value', transaction({ value: `${10n ** 15n}` }, priced(50n * gwei)), {}, true],
    ['a tenth of the value', transaction({ value: `${10n ** 18n}` }, priced(50n * gwei)), {}, false],
    ['six times the chain’s price', transaction({}, priced(60n * gwei)), { eth_gasPrice: () => '0x2540be400' }, true],
    ['twice the chain’s price', transaction({}, priced(20n * gwei)), { eth_gasPrice: () => '0x2540be400' }, false],
    ['a cheap chain at any price', transaction({}, priced(1n * gwei)), { eth_gasPrice: () => '0x1' }, false],
  ])('%s', async (_what, subject, answers, isDear) => {
    expect(kinds(await intentOf(subject, answers)).includes('highFee')).toBe(isDear)
  })
})

describe('fees that a dapp sets itself', () => {
  const chainPrice = 10n * gwei
  const used = 100_000n
  const answers: Answers = {
    eth_gasPrice: () => `0x${chainPrice.toString(16)}`,
    eth_simulateV1: () => [{ calls: [{ status: '0x1', gasUsed: `0x${used.toString(16)}` }] }],
  }
  const warns = async (fees: Fees, call: Partial<Call> = {}) =>
    kinds(await intentOf(transaction(call, fees), answers)).includes('highFee')
  const offered = { gas: '120000', maxFeePerGas: `${2n * chainPrice}`, maxPriorityFeePerGas: `${gwei}` }

  it.each([
    ['what the wallet itself offers', offered, {}, false],
    ['gasPrice', { gas: offered.gas, gasPrice: `${6n * chainPrice}` }, {}, true],
    ['maxFeePerGas', { ...offered, maxFeePerGas: `${6n * chainPrice}` }, {}, true],
    [
      'maxPriorityFeePerGas',
      { ...offered, maxFeePerGas: `${8n * chainPrice}`, maxPriorityFeePerGas: `${7n * chainPrice}` },
      {},
      true,
    ],
    ['gas', { ...offered, gas: '600000' }, {}, true],
    ['a fee above the value', { ...offered, gas: '600000' }, { value: '1' }, true],
  ])('%s', async (_what, fees, call, isDear) => {
    expect(await warns(fees, call)).toBe(isDear)
  })

  it('warn at ten times the expected fee, whichever field makes it so, and never at three times', async () => {
    const factors = fc.tuple(fc.bigInt(1n, 200n), fc.bigInt(1n, 200n))
    await fc.assert(
      fc.asyncProperty(factors, async ([gas, price]) => {
        const fees = { gas: `${used * gas}`, gasPrice: `${chainPrice * price}` }
        if (gas * price > 10n) expect(await warns(fees)).toBe(true)
        if (gas * price <= 3n) expect(await warns(fees)).toBe(false)
      }),
    )
  })
})

describe('a contract that the user has called or approved before', () => {
  const known = { contracts: [evil] }

  it('is a new recipient', async () => {
    expect(kinds(await intentOf(transaction({ to: evil, value: '1' }), {}, known))).toEqual(['firstTimeRecipient'])
    const was = { recipients: [evil] }
    expect(kinds(await intentOf(transaction({ to: evil, value: '1' }), {}, was))).toEqual([])
  })

  it('is compared with no recipient, so that it makes none a look-alike', async () => {
    const similar = `0x2222${'0'.repeat(32)}2222`
    expect(kinds(await intentOf(transaction({ to: similar, value: '1' }), {}, known))).toEqual(['firstTimeRecipient'])
    const was = { recipients: [evil] }
    expect(kinds(await intentOf(transaction({ to: similar, value: '1' }), {}, was))).toContain('lookalikeRecipient')
  })

  it('that only got money is a new contract', async () => {
    const was = { recipients: [evil] }
    expect(kinds(await intentOf(transaction({ data: '0xdeadbeef' }), {}, was))).toContain('unknownContract')
  })
})

describe('a user operation', () => {
  const operation = (paid: object): ApprovalSubject => ({
    kind: 'eip155.userOperation',
    from: own,
    calls: [{ to: evil, value: '0', data: '0x' }],
    fees: cheap,
    sponsored: false,
    deploys: false,
    operation: {},
    hash: '0x',
    ...paid,
  })

  it('whose paymaster the page named is not called paid for, and has a warning', async () => {
    const intent = await intentOf(operation({ pagePaymaster: evil }), {}, { recipients: [evil] })
    expect(intent.fee).toMatchObject({ sponsored: false })
    expect(intent.warnings).toEqual([{ kind: 'pagePaymaster', paymaster: evil }])
  })

  it('that the operator’s paymaster pays is called paid for', async () => {
    const intent = await intentOf(operation({ sponsored: true }), {}, { recipients: [evil] })
    expect(intent.fee).toMatchObject({ sponsored: true })
    expect(intent.warnings).toEqual([])
  })
})

describe('a simulation', () => {
  const word = (value: bigint | string) =>
    (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
  const topic = (address: string) => `0x${word(address)}`
  type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }
  const answering = (logs: readonly Log[], allowance = 0n): Answers => ({
    eth_simulateV1: () => [{ calls: [{ status: '0x1', logs }] }],
    eth_getCode: () => '0x60',
    eth_call: () => `0x${word(allowance)}`,
  })
  const unread = transaction({ to: evil, data: '0xdeadbeef' })
  const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
  const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
  const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
  const approvalForAll = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
  const parties = [topic(evil), topic(own), topic(evil)]

  it('shows ERC-1155 items that leave, one by one and in a batch', async () => {
    const logs = [
      { address: token, topics: [single, ...parties], data: `0x${word(1n)}${word(5n)}` },
      {
        address: token,
        topics: [batch, ...parties],
        data: `0x${[64n, 160n, 2n, 8n, 9n, 2n, 1n, 3n].map(word).join('')}`,
      },
    ]
    const { changes } = await intentOf(unread, answering(logs))
    const out = (tokenId: string, raw: string) => ({ direction: 'out', amount: { token, tokenId, raw, decimals: 0 } })
    expect(changes).toEqual({ kind: 'known', changes: [out('1', '5'), out('8', '1'), out('9', '3')], partial: true })
  })

  it('of a call that cannot be read is partly known, even without any log', async () => {
    expect((await intentOf(unread, answering([]))).changes).toEqual({ kind: 'known', changes: [], partial: true })
  })

  it('shows allowances that no step names', async () => {
    const hidden = { address: token, topics: [approval, topic(own), topic(evil)], data: `0x${word(9n)}` }
    const all = { address: token, topics: [approvalForAll, topic(own), topic(evil)], data: `0x${word(1n)}` }
    expect(kinds(await intentOf(unread, answering([hidden])))).toContain('hiddenApproval')
    expect(kinds(await intentOf(unread, answering([all])))).toContain('approvesAll')
    const named = transaction({ to: token, data: AbiFunction.encodeData(approve, [evil, 9n]) })
    expect(kinds(await intentOf(named, answering([hidden])))).not.toContain('hiddenApproval')
  })

  it('looks up few of 5,000 allowances, warns of the rest, and draws few warnings', async () => {
    const logs = Array.from({ length: 5_000 }, (_, index) => ({
      address: token,
      topics: [approval, topic(own), `0x${word(BigInt(index + 1))}`],
      data: `0x${word(9n)}`,
    }))
    let asked = 0
    const { eth_call, ...others } = answering(logs)
    const intent = await intentOf(unread, {
      ...others,
      eth_call: (params) => {
        asked += 1
        return eth_call?.(params)
      },
    })
    expect(asked).toBe(32)
    expect(intent.warnings).toHaveLength(25)
    expect(intent.warnings[0]).toMatchObject({ kind: 'tooLong' })
    expect(kinds(intent)).toContain('hiddenApproval')
  })

  it('asks for the code of few contracts', async () => {
    const calls = Array.from({ length: 128 }, (_, index) => ({
      to: `0x${(index + 1).toString(16).padStart(40, '0')}`,
      value: '0',
      data: '0xdeadbeef',
    }))
    let asked = 0
    const subject: ApprovalSubject = {
      kind: 'eip155.userOperation',
      from: own,
      calls,
      fees: cheap,
      sponsored: false,
      deploys: false,
      operation: {},
      hash: '0x',
    }
    await intentOf(subject, {
      ...answering([]),
      eth_getCode: () => {
        asked += 1
        return '0x60'
      },
    })
    expect(asked).toBe(32)
  })

  it.each([
    ['a smaller amount', token, 8n, true],
    ['another token', permit2, 9n, true],
    ['zero', token, 0n, true],
    ['the same amount', token, 9n, false],
  ])('compares an allowance of 9 with a step for %s', async (_what, to, amount, isHidden) => {
    const log = { address: token, topics: [approval, topic(own), topic(evil)], data: `0x${word(9n)}` }
    const subject = transaction({ to, data: AbiFunction.encodeData(approve, [evil, amount]) })
    expect(kinds(await intentOf(subject, answering([log]))).includes('hiddenApproval')).toBe(isHidden)
  })

  it('warns of an approval of everything that the call claims to revoke', async () => {
    const all = { address: token, topics: [approvalForAll, topic(own), topic(evil)], data: `0x${word(1n)}` }
    const forAll = AbiFunction.from('function setApprovalForAll(address operator, bool approved)')
    const revoke = transaction({ to: token, data: AbiFunction.encodeData(forAll, [evil, false]) })
    expect(kinds(await intentOf(revoke, answering([all])))).toContain('approvesAll')
  })

  it.each([
    ['item 0', 0n, 0n, true],
    ['another item', 7n, 8n, true],
    ['the named item', 7n, 7n, false],
  ])('compares an ERC-721 approval with a step: %s', async (_what, named, id, isHidden) => {
    const log = { address: token, topics: [approval, topic(own), topic(evil), `0x${word(id)}`], data: '0x' }
    const subject = transaction({ to: token, data: AbiFunction.encodeData(approve, [evil, named]) })
    expect(kinds(await intentOf(subject, answering([log]))).includes('hiddenApproval')).toBe(isHidden)
  })

  it.each([
    ['a transfer', '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
    ['an approval', approval],
  ])('with %s whose parties are not indexed is partly known', async (_what, event) => {
    const log = { address: token, topics: [event], data: `0x${word(own)}${word(evil)}${word(5n)}` }
    const item = AbiFunction.from('function transfer(address to, uint256 amount)')
    const subject = transaction({ to: token, data: AbiFunction.encodeData(item, [own, 5n]) })
    expect((await intentOf(subject, answering([log]))).changes).toMatchObject({ partial: true })
  })

  it('of a named call without a Transfer, such as withdraw, is partly known', async () => {
    const item = AbiFunction.from('function withdraw(uint256 amount)')
    const subject = transaction({ to: token, data: AbiFunction.encodeData(item, [5n]) })
    expect((await intentOf(subject, answering([]))).changes).toEqual({ kind: 'known', changes: [], partial: true })
  })

  it('does not warn of what remains of an allowance that was given before', async () => {
    const rest = { address: token, topics: [approval, topic(own), topic(evil)], data: `0x${word(9n)}` }
    expect(kinds(await intentOf(unread, answering([rest], 10n)))).not.toContain('hiddenApproval')
  })
})

describe('typed data', () => {
  const seaportContract = '0x0000000000000068F116a894984e2DB1123eB395'
  const cowContract = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
  const zeroExContract = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'
  const reactor = '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4'
  const verifiers: Readonly<Record<string, string>> = {
    OrderComponents: seaportContract,
    BulkOrder: seaportContract,
    Order: cowContract,
    LimitOrder: zeroExContract,
    RfqOrder: zeroExContract,
    OtcOrder: zeroExContract,
    PermitWitnessTransferFrom: permit2,
  }
  const members = (text: string) =>
    text.split(',').map((one) => {
      const [type, name] = one.split(' ')
      return { name, type }
    })
  const permitTypes = {
    Permit: members('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'),
    PermitSingle: members('PermitDetails details,address spender,uint256 sigDeadline'),
    PermitBatch: members('PermitDetails[] details,address spender,uint256 sigDeadline'),
    PermitDetails: members('address token,uint160 amount,uint48 expiration,uint48 nonce'),
    PermitTransferFrom: members('TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline'),
    TokenPermissions: members('address token,uint256 amount'),
  }
  const typed = (
    primaryType: string,
    message: unknown,
    verifyingContract = verifiers[primaryType] ?? evil,
  ): ApprovalSubject => ({
    kind: 'eip155.typedData',
    address: own,
    account: 'eoa',
    json: JSON.stringify({
      types: { [primaryType]: [], ...permitTypes },
      primaryType,
      domain: { name: 'X', chainId: 1, verifyingContract },
      message,
    }),
  })
  const nft = { itemType: 2, token, identifierOrCriteria: '1', startAmount: '1', endAmount: '1' }
  const ether = (amount: string, recipient: string) => ({
    itemType: 0,
    token: `0x${'0'.repeat(40)}`,
    identifierOrCriteria: '0',
    startAmount: amount,
    endAmount: amount,
    recipient,
  })
  const seaport = (consideration: readonly unknown[]) =>
    typed('OrderComponents', { offerer: own, offer: [nft], consideration, endTime: '99' })

  it('that is not read here has a warning, also for a contract that the user has called before', async () => {
    expect(kinds(await intentOf(typed('Authorize', {})))).toEqual(['notDecoded', 'unknownContract'])
    expect((await intentOf(typed('Authorize', {}), {}, { contracts: [evil] })).warnings).toEqual([
      { kind: 'notDecoded', contract: evil },
    ])
  })

  it('reads a Seaport order as what is given and what comes', async () => {
    const { steps } = await intentOf(seaport([ether('5', own), ether('1', evil)]))
    expect(steps).toMatchObject([
      {
        kind: 'order',
        gives: [{ token, tokenId: '1', raw: '1' }],
        gets: [
          { amount: { raw: '5' }, to: own },
          { amount: { raw: '1' }, to: evil },
        ],
        expiry: 99,
      },
      { kind: 'typedData', primaryType: 'OrderComponents' },
    ])
  })

  it.each([
    ['nothing', seaport([])],
    ['zero', seaport([ether('0', own)])],
    ['money for another account', seaport([ether('5', evil)])],
    [
      'CoW: paid to another account',
      typed('Order', {
        sellToken: token,
        buyToken: evil,
        receiver: evil,
        sellAmount: '1',
        buyAmount: '9',
        validTo: 9,
        feeAmount: '0',
      }),
    ],
    [
      '0x: for nothing',
      typed('LimitOrder', { makerToken: token, takerToken: evil, makerAmount: '5', takerAmount: '0', maker: own }),
    ],
    [
      'UniswapX: outputs to another account',
      typed('PermitWitnessTransferFrom', {
        permitted: { token, amount: '5' },
        spender: reactor,
        deadline: '9',
        witness: { outputs: [{ token: evil, recipient: evil, endAmount: '9' }] },
      }),
    ],
  ])('warns of an order that brings the owner %s', async (_what, subject) => {
    expect(kinds(await intentOf(subject))[0]).toBe('givesForNothing')
  })

  const most = String(2n ** 256n - 1n)
  const permit = (value: string) =>
    typed('Permit', { owner: own, spender: evil, value, nonce: '0', deadline: '9' }, token)

  it.each([
    ['leading zeros', permit(`00${most}`)],
    ['80 digits', permit(most.padStart(80, '0'))],
  ])('reads an amount with %s as the signer does', async (_what, subject) => {
    expect(kinds(await intentOf(subject))).toEqual(kinds(await intentOf(permit(most))))
    expect(kinds(await intentOf(subject))).toContain('unlimitedApproval')
  })

  it('reads -0 as zero, as the signer does', async () => {
    expect(kinds(await intentOf(seaport([ether('-0', own)])))[0]).toBe('givesForNothing')
  })

  it.each(['Permit', 'PermitSingle', 'OrderComponents', 'BulkOrder', 'Order', 'LimitOrder', 'RfqOrder', 'OtcOrder'])(
    'warns of a %s that cannot be read',
    async (primaryType) => {
      const subject = typed(primaryType, { value: 'x' })
      const known = { contracts: [evil, ...Object.values(verifiers)] }
      expect(kinds(await intentOf(subject, {}, known))).toEqual(['notDecoded'])
    },
  )

  it('reads each order of a Seaport bulk order', async () => {
    const order = (consideration: readonly unknown[]) => ({ offer: [nft], consideration, endTime: '99' })
    const padding = { offer: [], consideration: [], endTime: '0' }
    const tree = [
      [order([ether('5000000000000000000', own)]), order([])],
      [padding, padding],
    ]
    const known = { contracts: [seaportContract] }
    const intent = await intentOf(typed('BulkOrder', { tree }), {}, known)
    expect(intent.steps.map(({ kind }) => kind)).toEqual(['order', 'order', 'typedData'])
    expect(kinds(intent)).toEqual(['givesForNothing'])
    const unreadable = typed('BulkOrder', { tree: [order([ether('5', own)]), { offer: 'x' }] })
    expect(kinds(await intentOf(unreadable, {}, known))).toEqual(['notDecoded'])
  })

  it('for no contract warns that it is not read', async () => {
    const json = { types: { X: [] }, primaryType: 'X', domain: { name: 'dYdX', chainId: 1 }, message: {} }
    const subject: ApprovalSubject = {
      kind: 'eip155.typedData',
      address: own,
      account: 'eoa',
      json: JSON.stringify(json),
    }
    expect(kinds(await intentOf(subject))).toEqual(['notDecoded'])
  })

  it('warns of a Permit2 allowance for ever, as of the equal approve', async () => {
    const details = { token, amount: '5', expiration: `${2 ** 48 - 1}`, nonce: '0' }
    const single = typed('PermitSingle', { details, spender: evil, sigDeadline: '9' }, permit2)
    expect(kinds(await intentOf(single))).toEqual(['longExpiry', 'unknownContract'])
  })

  it('asks for the names of few tokens', async () => {
    const details = Array.from({ length: 1_000 }, (_, index) => ({
      token: `0x${index.toString(16).padStart(40, '0')}`,
      amount: '5',
      expiration: '1',
    }))
    let asked = 0
    const answers = {
      eth_call: () => {
        asked += 1
        return '0x'
      },
    }
    await intentOf(typed('PermitBatch', { details, spender: evil, sigDeadline: '9' }, permit2), answers)
    // Name, decimals, balance and supply of 32.
    expect(asked).toBe(4 * 32)
  })

  it('shows native items of Seaport in the currency of the chain', async () => {
    const polygon = [{}, {}, 'eip155:137', { symbol: 'POL', decimals: 18 }] as const
    const { steps } = await intentOf(seaport([ether('5', own)]), ...polygon)
    expect(steps[0]).toMatchObject({ gets: [{ amount: { raw: '5', symbol: 'POL', decimals: 18 }, to: own }] })
  })

  const placeholder = `0x${'Ee'.repeat(20)}`
  const none = `0x${'0'.repeat(40)}`
  const cow = (buyToken: string) =>
    typed('Order', {
      sellToken: token,
      buyToken,
      receiver: none,
      sellAmount: '1',
      buyAmount: '5',
      validTo: 9,
      feeAmount: '0',
    })
  const uniswapX = (paidIn: string) =>
    typed('PermitWitnessTransferFrom', {
      permitted: { token, amount: '5' },
      spender: reactor,
      deadline: '9',
      witness: { outputs: [{ token: paidIn, recipient: own, endAmount: '5' }] },
    })

  it.each([
    ['CoW', cow(placeholder), { symbol: 'POL', decimals: 18 }],
    ['CoW', cow(none), { token: none }],
    ['UniswapX', uniswapX(none), { symbol: 'POL', decimals: 18 }],
    ['UniswapX', uniswapX(placeholder), { token: placeholder }],
  ])('shows what an order of %s pays in the currency of the chain only under its own name', async (_, subject, is) => {
    const { steps } = await intentOf(subject, {}, {}, 'eip155:137', { symbol: 'POL', decimals: 18 })
    const order = steps.find(({ kind }) => kind === 'order')
    expect(order).toMatchObject({ gets: [{ amount: { raw: '5', ...is }, to: own }] })
    if (!('token' in is)) expect(JSON.stringify(order)).not.toMatch(/"amount":\{[^}]*"token"/)
  })

  it('warns that an order with too many items is not read', async () => {
    const items = Array.from({ length: 65 }, () => ether('5', own))
    const intent = await intentOf(seaport(items))
    expect(intent.steps.map(({ kind }) => kind)).toEqual(['typedData'])
    expect(kinds(intent)).toContain('notDecoded')
  })

  it('draws few steps and warnings of a batch of 20,000 permits, and says how many are missing', async () => {
    const details = Array.from({ length: 20_000 }, (_, index) => ({
      token: `0x${index.toString(16).padStart(40, '0')}`,
      amount: '5',
      expiration: `${2 ** 48 - 1}`,
    }))
    const { steps, warnings } = await intentOf(
      typed('PermitBatch', { details, spender: evil, sigDeadline: '9' }, permit2),
    )
    expect(steps).toHaveLength(64)
    expect(warnings[0]).toEqual({ kind: 'tooLong', more: 20_000 - 64 })
    expect(warnings.map(({ kind }) => kind)).toEqual(['tooLong', 'longExpiry', 'unknownContract'])
  })

  it('shows the permit of a Permit2 witness too, whatever the witness says', async () => {
    const transfer = { permitted: { token, amount: most }, spender: reactor, nonce: '0', deadline: '9' }
    const witness = { outputs: [{ token: evil, recipient: own, amount: '9' }] }
    const plain = await intentOf(typed('PermitTransferFrom', transfer, permit2))
    const good = await intentOf(typed('PermitWitnessTransferFrom', { ...transfer, witness }, permit2))
    expect(good.steps.map(({ kind }) => kind)).toEqual(['permit', 'order', 'typedData'])
    expect(good.warnings).toEqual(expect.arrayContaining<Warning>([...plain.warnings]))
    expect(kinds(plain)).toContain('unlimitedApproval')
  })

  it('does not warn so of an order that pays the owner', async () => {
    expect(kinds(await intentOf(seaport([ether('5', own)])))).not.toContain('givesForNothing')
  })
})

describe('the permissions of a sign-in (ReCap)', () => {
  const signIn = (...resources: readonly string[]): ApprovalSubject => {
    const message = [
      `app.example wants you to sign in with your Ethereum account:\n${own}\n\nURI: https://app.example\nVersion: 1`,
      'Chain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z\nResources:',
      ...resources.map((one) => `- ${one}`),
    ].join('\n')
    return {
      kind: 'eip155.message',
      address: own,
      account: 'eoa',
      message: `0x${Buffer.from(message).toString('hex')}`,
    }
  }
  const recap = (value: unknown, encoding: 'base64' | 'base64url' = 'base64url') =>
    `urn:recap:${Buffer.from(JSON.stringify(value)).toString(encoding)}`
  const grant = { att: { 'https://storage.example/alice/': { 'crud/delete': [{}], 'crud/update': [{}] } }, prf: [] }

  it.each(['base64url', 'base64'] as const)('are read, and have a warning (%s)', async (encoding) => {
    const intent = await intentOf(signIn('https://app.example/terms', recap(grant, encoding)))
    expect(intent.steps).toMatchObject([
      { grants: [{ resource: 'https://storage.example/alice/', abilities: ['crud/delete', 'crud/update'] }] },
    ])
    expect(kinds(intent)).toEqual(['signInGrants'])
  })

  it.each([
    ['no base64', 'urn:recap:!!!'],
    ['no JSON', 'urn:recap:aGVsbG8'],
    ['another form', recap({ att: [] })],
    ['nothing', recap({ att: {} })],
    ['a resource without abilities', recap({ att: { 'https://storage.example': {} } })],
    ['too many', recap({ att: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`${at}`, { 'a/b': [] }])) })],
    ['another case', recap(grant).replace('urn:recap', 'URN:ReCap').slice(0, -3)],
  ])('that are %s cannot be read, and have both warnings', async (_what, resource) => {
    const intent = await intentOf(signIn(resource))
    expect(intent.steps).toMatchObject([{ grants: [{ resource, abilities: null }] }])
    expect(kinds(intent)).toEqual(['signInGrants', 'notDecoded'])
  })

  it('are absent from an ordinary sign-in', async () => {
    const intent = await intentOf(signIn('https://app.example/terms'))
    expect(intent.steps[0]).not.toHaveProperty('grants')
    expect(kinds(intent)).toEqual([])
  })
})

describe('the same bytes for an amount and an item (ERC-20 and ERC-721)', () => {
  const transferFrom = AbiFunction.from('function transferFrom(address from, address to, uint256 amount)')
  const approving = (spender: string, raw: bigint) =>
    transaction({ to: token, data: AbiFunction.encodeData(approve, [`0x${spender.slice(2)}`, raw]) })
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  const symbol = `0x${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${'54444e'.padEnd(64, '0')}`
  /** Each answers by selector; the others revert. */
  const contract = (answers: Readonly<Record<string, string>>): Answers => ({
    eth_call: (params) => {
      const answer = Object.entries(answers).find(([selector]) => JSON.stringify(params).includes(selector))
      if (answer === undefined) throw new Error('execution reverted')
      return answer[1]
    },
  })
  const collection = contract({ '0x01ffc9a7': word(1n), '0x95d89b41': symbol })
  const money = contract({ '0x313ce567': word(6n), '0x95d89b41': symbol })
  const item = (id: string) => ({ raw: '1', token, tokenId: id, decimals: 0, symbol: 'TDN' })

  it.each([0n, 1n, 2n ** 256n - 2n])('an item is approved by its number: #%s', async (id) => {
    const intent = await intentOf(approving(evil, id), collection)
    expect(intent.steps).toEqual([{ kind: 'approve', spender: evil, amount: item(`${id}`) }])
    expect(kinds(intent)).toEqual(['unknownContract'])
  })

  it('an item is sent by its number', async () => {
    const data = AbiFunction.encodeData(transferFrom, [own, evil, 0n])
    const intent = await intentOf(transaction({ to: token, data }), collection)
    expect(intent.steps).toEqual([{ kind: 'transfer', to: evil, amount: item('0') }])
    expect(kinds(intent)).toEqual(['firstTimeRecipient'])
  })

  it('revokes an item by approving no one, and an amount by approving nothing', async () => {
    const noOne = `0x${'0'.repeat(40)}`
    expect(kinds(await intentOf(approving(noOne, 0n), collection))).toEqual([])
    expect(kinds(await intentOf(approving(evil, 0n), money))).toEqual([])
  })

  it('an amount stays an amount', async () => {
    const intent = await intentOf(approving(evil, 1n), money)
    expect(intent.steps).toMatchObject([{ kind: 'approve', amount: { raw: '1', decimals: 6, symbol: 'TDN' } }])
    expect(kinds(intent)).toEqual(['unknownContract'])
  })

  it('a collection without ERC-165 tells by getApproved', async () => {
    const intent = await intentOf(approving(evil, 7n), contract({ '0x081812fc': word(0n) }))
    expect(intent.steps).toMatchObject([{ kind: 'approve', amount: { tokenId: '7' } }])
  })

  it('warns without an answer, also of zero', async () => {
    for (const raw of [0n, 1n])
      expect(kinds(await intentOf(approving(evil, raw)))).toEqual(['amountOrItem', 'unknownContract'])
    const data = AbiFunction.encodeData(transferFrom, [own, evil, 0n])
    expect(kinds(await intentOf(transaction({ to: token, data })))).toEqual(['amountOrItem', 'firstTimeRecipient'])
  })

  it('an approval of item #0 is not one that the request hides', async () => {
    const topic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
    const log = {
      address: token,
      topics: ['0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925', topic(own), topic(evil), word(0n)],
      data: '0x',
    }
    const answers = { ...collection, eth_simulateV1: () => [{ calls: [{ status: '0x1', logs: [log] }] }] }
    expect(kinds(await intentOf(approving(evil, 0n), answers))).toEqual(['unknownContract'])
    expect(kinds(await intentOf(approving(evil, 1n), answers))).toEqual(['hiddenApproval', 'unknownContract'])
  })
})
