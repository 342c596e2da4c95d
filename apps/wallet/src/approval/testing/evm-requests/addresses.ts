/** Contracts and accounts of EVM requests in tests. */

export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const seaport = '0x0000000000000068F116a894984e2DB1123eB395'
export const reactor = '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4'
export const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const router = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
/** Uniswap's first router of V3. */
export const firstRouter3 = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
/** Uniswap's SwapRouter02. */
export const router3 = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45'
/** Safe's MultiSendCallOnly 1.4.1. */
export const multiSend = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
export const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
export const zero = '0x0000000000000000000000000000000000000000'
/** Like {@link friend} at both ends. */
export const likeFriend = '0x4444eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee4444'
/** Like {@link own} at both ends. */
export const likeOwn = '0x1111eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee1111'
/** Another account of the owner's. */
export const own2 = '0x5555555555555555555555555555555555555555'
export const cow = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
export const zeroEx = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'
/** Tracing endpoints log native transfers under it. */
export const nativeLogger = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
