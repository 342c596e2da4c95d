import { parseUnits } from '@postern/chains/format'
import type { SwapTransaction } from '@postern/protocol'
import fc from 'fast-check'
import * as AbiFunction from 'ox/AbiFunction'
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '../../view-kit/format/parse-decimal'
import { asTransaction } from './plan'
import {
  account,
  builtApproval,
  builtSwap,
  bytes,
  dollar,
  ether,
  gem,
  networkId,
  orderOf,
  owner,
  quote,
  router,
  swapData,
  wrapped,
} from './testing/swap-fixtures'
import { checkedApproval, checkedSwap, takesToken } from './transaction'

const stranger = `0x${'66'.repeat(20)}`
const order = orderOf(dollar, gem, 1_000_000n, quote(10n ** 18n))
const paid = orderOf(ether, dollar, 10n ** 18n, quote(2_500_000_000n))
const check = (built: SwapTransaction, of = order) => checkedSwap(built, { ...of, toAmount: of.quote.toAmount })
const withTx = (changes: Partial<SwapTransaction['tx']>, of = order): SwapTransaction => ({
  tx: { ...builtSwap(of).tx, ...changes },
})
function call(signature: string, args: readonly (string | bigint | boolean)[]): string {
  const words = args.map((arg) => BigInt(arg).toString(16).padStart(64, '0'))
  return AbiFunction.getSelector(signature) + words.join('')
}

describe('checkedSwap', () => {
  it('accepts the requested swap: token to token, and from or to the native currency', () => {
    expect(check(builtSwap(order))).toMatchObject({ to: router, value: 0n, fee: 150_000_000_000_000n })
    expect(check(builtSwap(paid), paid)).toMatchObject({ to: router, value: 10n ** 18n })
    const back = orderOf(dollar, ether, 5n, quote(7n))
    expect(check(builtSwap(back), back)).toMatchObject({ value: 0n })
  })

  it('accepts wrapping and unwrapping, one to one', () => {
    const wrap = orderOf(ether, wrapped, 5n, quote(5n))
    const deposit = withTx({ to: wrapped.id, data: call('function deposit()', []) }, wrap)
    expect(check(deposit, wrap)).toMatchObject({ to: wrapped.address, value: 5n })
    const unwrap = orderOf(wrapped, ether, 5n, quote(5n))
    const withdraw = (amount: bigint) =>
      withTx({ to: wrapped.id, data: call('function withdraw(uint256 amount)', [amount]) }, unwrap)
    const swap = check(withdraw(5n), unwrap)
    expect(takesToken(swap, unwrap)).toBe(false)
    expect(() => check(withdraw(6n), unwrap)).toThrow('another transaction')
    expect(() => check({ tx: { ...deposit.tx, to: `${networkId}:${stranger}` } }, wrap)).toThrow('another transaction')
  })

  it('accepts unknown call data with exactly the paid value', () => {
    expect(check(withTx({ data: '0xdeadbeef' }))).toMatchObject({ to: router })
    expect(check(withTx({ data: '0xdeadbeef' }, paid), paid)).toMatchObject({ value: 10n ** 18n })
  })

  it.each<[string, SwapTransaction]>([
    ['1. of another sender', withTx({ from: `${networkId}:${stranger}` })],
    ['1. on another network', withTx({ to: `eip155:10:${router}` })],
    ['1. to the visitor', withTx({ to: account, data: '0xdeadbeef' })],
    ['2. with more money than agreed', withTx({ amount: '1' })],
    ['3. with a lower minimum', builtSwap(order, { min: 99n * 10n ** 16n - 1n })],
    ['3. for another recipient', builtSwap(order, { recipient: stranger })],
    ['3. of more', builtSwap(order, { amount: order.amount + 1n })],
    ['3. for another token', builtSwap(order, { to: wrapped })],
    ['3. of another token', builtSwap(order, { from: wrapped })],
    [
      '3. that is a transfer',
      withTx({ to: dollar.id, data: call('function transfer(address to, uint256 amount)', [stranger, 1n]) }),
    ],
    [
      '3. that is an approval',
      withTx({ to: gem.id, data: call('function approve(address spender, uint256 amount)', [stranger, 1n]) }),
    ],
    [
      '3. that allows everything',
      withTx({ data: call('function setApprovalForAll(address operator, bool approved)', [stranger, true]) }),
    ],
    [
      '3. that takes from another account with an allowance',
      withTx({
        to: gem.id,
        data: call('function transferFrom(address from, address to, uint256 amount)', [stranger, owner, 1n]),
      }),
    ],
    ['3. that calls a token with unknown calldata', withTx({ to: dollar.id, data: '0xdeadbeef' })],
    ['3. that only sends', withTx({ data: '0x' })],
  ])('refuses one %s', (_name, built) => {
    expect(() => check(built)).toThrow('another transaction')
  })

  it('2. rejects a different value', () => {
    for (const amount of ['0', `${10n ** 18n - 1n}`, `${10n ** 18n + 1n}`])
      expect(() => check(withTx({ amount }, paid), paid)).toThrow('value')
  })

  it.each<[string, SwapTransaction]>([
    ['a swap', withTx({ data: `${builtSwap(order).tx.data}00` })],
    ['a swap for another recipient', withTx({ data: `${builtSwap(order, { recipient: stranger }).tx.data}00` })],
    [
      'a transfer of a third token',
      withTx({
        to: `${networkId}:${stranger}`,
        data: `${call('function transfer(address to, uint256 amount)', [stranger, 1n])}00`,
      }),
    ],
    [
      'an approval of a third token',
      withTx({
        to: `${networkId}:${stranger}`,
        data: `${call('function approve(address spender, uint256 amount)', [stranger, 1n]).toUpperCase().replace('0X', '0x')}00`,
      }),
    ],
    [
      'a transfer that calls',
      withTx({
        to: `${networkId}:${stranger}`,
        data: call('function transferAndCall(address to, uint256 amount, bytes data)', [stranger, 1n, 96n, 0n]),
      }),
    ],
    [
      'what Permit2 takes',
      withTx({
        to: `${networkId}:${stranger}`,
        data: call('function transferFrom(address from, address to, uint160 amount, address token)', [
          owner,
          stranger,
          1n,
          stranger,
        ]),
      }),
    ],
  ])('4. refuses bytes that begin like %s and cannot be read', (_name, built) => {
    expect(() => check(built)).toThrow('bytes')
  })

  it.each([
    'withdraw(uint256 assets, address receiver, address owner)',
    'redeem(uint256 shares, address receiver, address owner)',
    'transfer(address receiver, uint256 id, uint256 amount)',
    'approve(address spender, uint256 id, uint256 amount)',
    'setOperator(address spender, bool approved)',
    'transferFrom(address sender, address receiver, uint256 id, uint256 amount)',
    'withdraw(address asset, uint256 amount, address to)',
    'withdrawTo(address to, address asset, uint256 amount)',
    'allow(address manager, bool isAllowed)',
    'approveDelegation(address delegatee, uint256 amount)',
    'transferOwnership(address newOwner)',
  ])('4. rejects what spends the visitor’s other assets: %s', (signature) => {
    const data = `${AbiFunction.getSelector(`function ${signature}`)}${'0'.repeat(192)}`
    expect(() => check(withTx({ to: `${networkId}:${stranger}`, data }))).toThrow('bytes')
  })

  it('accepts no known call that gives less than 99% of what was shown', () => {
    const few = fc.bigInt({ min: 1n, max: 10n ** 24n })
    fc.assert(
      fc.property(few, few, (shown, min) => {
        const of = orderOf(dollar, gem, 5n, quote(shown))
        const data = swapData({ min, amount: 5n, from: dollar, to: gem, recipient: owner })
        const isEnough = min * 100n >= shown * 99n
        const take = () => check(withTx({ data }, of), of)
        if (isEnough) expect(take()).toMatchObject({ to: router })
        else expect(take).toThrow('another transaction')
      }),
    )
  })

  it('only ever throws its own rejection, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (random) => {
        const data = bytes([...random].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
        try {
          check(withTx({ data }))
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'INTERNAL' })
        }
      }),
    )
  })
})

describe('checkedApproval', () => {
  const swap = check(builtSwap(order))

  it('accepts the exact amount for the contract that swaps', () => {
    expect(checkedApproval(builtApproval(order), order, swap)).toMatchObject({ to: dollar.address, value: 0n })
  })

  it.each([0n, order.amount - 1n, order.amount + 1n, 2n ** 256n - 1n])(
    'replaces an amount of %i by the paid amount',
    (amount) => {
      const approval = checkedApproval(builtApproval(order, router, amount), order, swap)
      expect(approval.data).toBe(builtApproval(order).tx.data)
    },
  )

  it.each([
    ['another spender', builtApproval(order, stranger)],
    ['another token', { tx: { ...builtApproval(order).tx, to: gem.id } }],
    ['another sender', { tx: { ...builtApproval(order).tx, from: `${networkId}:${stranger}` } }],
    ['money along', { tx: { ...builtApproval(order).tx, value: '1' } }],
    [
      'more on top',
      {
        tx: {
          ...builtApproval(order).tx,
          data: call('function increaseAllowance(address spender, uint256 addedValue)', [router, order.amount]),
        },
      },
    ],
    [
      'a transfer',
      {
        tx: {
          ...builtApproval(order).tx,
          data: call('function transfer(address to, uint256 amount)', [router, order.amount]),
        },
      },
    ],
  ])('rejects %s', (_name, built) => {
    expect(() => checkedApproval(built, order, swap)).toThrow('another transaction')
  })
})

describe('a typed amount', () => {
  it('is signed to the last digit in any format, without floats', () => {
    const anyAmount = fc.bigInt({ min: 0n, max: 10n ** 30n })
    const fraction = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 18 })
    fc.assert(
      fc.property(anyAmount, fraction, fc.constantFrom('en', 'de'), (units, digits, locale) => {
        const exact = BigInt(`${units}${digits.join('').padEnd(18, '0')}`)
        fc.pre(exact > 0n)
        const typed = `${units}${locale === 'de' ? ',' : '.'}${digits.join('')}`
        const amount = parseUnits(parseDecimal(typed, locale) ?? '', gem.decimals) ?? 0n
        expect(amount).toBe(exact)

        const word = exact.toString(16).padStart(64, '0')
        const sold = orderOf(gem, dollar, amount, quote(5n))
        const swap = check(builtSwap(sold), sold)
        expect(swap.data.slice(10, 74)).toBe(word)
        const approval = asTransaction(sold, 'approve', checkedApproval(builtApproval(sold), sold, swap))
        expect(JSON.stringify(approval.params)).toContain(word)
        expect(parseUnits(approval.purpose.amount, gem.decimals)).toBe(exact)

        const ownCurrency = orderOf(ether, dollar, amount, quote(5n))
        const sent = asTransaction(ownCurrency, 'swap', check(builtSwap(ownCurrency), ownCurrency))
        expect(sent.params).toMatchObject([{ value: `0x${exact.toString(16)}` }])
      }),
    )
  })
})
