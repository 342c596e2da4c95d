// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// An ERC-20 that says of itself whatever bytes it was given, sound or not. For tests of who reads tokens: everybody may mint.
contract DevnetOddToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(bytes4 selector => bytes) private answers;

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// What the calls return, byte for byte; an empty answer reverts.
    constructor(bytes memory name, bytes memory symbol, bytes memory decimals) {
        answers[0x06fdde03] = name;
        answers[0x95d89b41] = symbol;
        answers[0x313ce567] = decimals;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    /// Says that somebody moved some of it, who did not.
    function pretend(address from, address to, uint256 value) external {
        emit Transfer(from, to, value);
    }

    fallback() external {
        bytes memory answer = answers[msg.sig];
        assembly ("memory-safe") {
            if iszero(mload(answer)) { revert(0, 0) }
            return(add(answer, 32), mload(answer))
        }
    }
}
