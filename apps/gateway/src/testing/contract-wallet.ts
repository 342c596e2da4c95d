/** A contract that signs by its owner's key (ERC-1271), in its smallest form, and how it is deployed, or not yet (ERC-6492). */
import { type Address, concat, type Hex, numberToHex, size } from 'viem'

/** Answers ERC-1271's word where `ecrecover` of the hash in the first argument, by the signature in the second, is the owner. */
export function contractWalletCode(owner: Address): Hex {
  return deploys(
    concat([
      // hash, v, r and s to where ecrecover takes them
      '0x600435600052',
      '0x60a43560f81c602052',
      '0x606435604052',
      '0x608435606052',
      '0x602060006080600060015afa50',
      // (owner == mload(0)) * magic, as the first four bytes of a word
      concat(['0x73', owner, '0x60005114']),
      '0x631626ba7e0260e01b60005260206000f3',
    ]),
  )
}

/** Deploys its call data by CREATE2 with salt zero. */
export const contractFactoryCode: Hex = deploys('0x36600060003760003660006000f500')

/** Takes every signature (ERC-1271) once somebody has called it with anything else, as an account does that goes to whoever pays for it. */
export const soldWalletCode: Hex = deploys(
  '0x5f3560e01c631626ba7e1460145760015f5500005b5f54601f575f5ffd00005b631626ba7e60e01b5f5260205ff3',
)

function deploys(runtime: Hex): Hex {
  return concat(['0x60', numberToHex(size(runtime), { size: 1 }), '0x8060093d393df3', runtime])
}
