/** A contract account with one key (ERC-1271), deployed or not (ERC-6492). */
import { type Address, concat, type Hex, numberToHex, size } from 'viem'

/** ERC-1271's magic value if `ecrecover` returns the owner. */
export function contractWalletCode(owner: Address): Hex {
  return deploys(
    concat([
      // Hash, v, r and s for ecrecover.
      '0x600435600052',
      '0x60a43560f81c602052',
      '0x606435604052',
      '0x608435606052',
      '0x602060006080600060015afa50',
      // (owner == mload(0)) * magic, left-aligned.
      concat(['0x73', owner, '0x60005114']),
      '0x631626ba7e0260e01b60005260206000f3',
    ]),
  )
}

/** CREATE2 of its call data, salt zero. */
export const contractFactoryCode: Hex = deploys('0x36600060003760003660006000f500')

/** Accepts all signatures (ERC-1271) after any other call, like an account that is for sale. */
export const soldWalletCode: Hex = deploys(
  '0x5f3560e01c631626ba7e1460145760015f5500005b5f54601f575f5ffd00005b631626ba7e60e01b5f5260205ff3',
)

function deploys(runtime: Hex): Hex {
  return concat(['0x60', numberToHex(size(runtime), { size: 1 }), '0x8060093d393df3', runtime])
}
