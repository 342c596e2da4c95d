// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// An ERC-20 that returns any bytes as its metadata, valid or not, for tests of code that shows tokens. Any account may mint.
contract DevnetOddToken {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(bytes4 selector => bytes) private answers;

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// The raw return data of each call; empty data reverts.
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

    /// Emits a transfer that did not happen.
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
