// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// An ERC-721 whose minter chooses the metadata URI, for tests of code that shows collectibles. Any account may mint.
contract DevnetOddCollectible {
    string public name;
    string public constant symbol = "ODD";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 tokenId => address) public ownerOf;
    mapping(uint256 tokenId => string) public tokenURI;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    constructor(string memory name_) { name = name_; }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function mint(address to, string calldata uri) external returns (uint256 tokenId) {
        tokenId = ++totalSupply;
        balanceOf[to] += 1;
        ownerOf[tokenId] = to;
        tokenURI[tokenId] = uri;
        emit Transfer(address(0), to, tokenId);
    }
}
