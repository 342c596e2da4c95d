import { NftGrid } from './NftGrid'

/** The first few collectibles of the accounts on show. */
export default function FirstNfts() {
  return <NftGrid first />
}
