import { ListView } from '../account/ListView'
import { TokenList } from './TokenList'

/** All tokens of the account that is shown. */
export default function Tokens() {
  return (
    <ListView>
      <TokenList />
    </ListView>
  )
}
