"""Kind stories: by the id of each general kind, its story for staff, and its fact and its hint for the student."""

STORIES = {
    "general.sign": (
        "The right value with the other sign.",
        "The right numbers with the other sign give the same results.",
        "Look for a minus that is missing, or one too many.",
    ),
    "general.transposed": (
        "The right array, transposed.",
        "The right array, transposed, gives the same results.",
        "Which axis of your array holds the rows?",
    ),
    "general.outputs_exchanged": (
        "The right outputs in another order.",
        "The right values in another order give the same results.",
        "Compare the order of the values that you return with the one that is asked for.",
    ),
    "general.reordered": (
        "The right numbers in another order inside an array.",
        "Your arrays hold the right numbers in another order.",
        "Compare the order in which you put numbers into an array with the one that is asked for.",
    ),
    "general.second_draw": (
        "The right value, or one item of it, for what is drawn when the same is done a second time.",
        "The right numbers for samples that are drawn a second time give the same results.",
        "How often does one call draw its samples, or call a function that it is given?",
    ),
    "general.log_base": (
        "The right value with a logarithm of another base.",
        "The right numbers with a logarithm of another base give the same results.",
        "Which logarithm is meant by log?",
    ),
    "general.named_factor": (
        "The right value times an argument, or divided by it.",
        "The right numbers {name} give the same results.",
        "How often does your formula need this factor?",
    ),
    "general.sum_for_mean": (
        "The right value times the length of an argument, or divided by it.",
        "The right numbers {name} give the same results.",
        "Is a sum asked for, or a mean?",
    ),
    "general.argument_ignored": (
        "The right value with an argument set to 0.",
        "The right function with {name} set to 0 gives the same results.",
        "Where does your code use this argument?",
    ),
    "general.index_off": (
        "The right value with an index that is one larger or smaller.",
        "The right function with {name} gives the same results.",
        "Does your count begin at 0?",
    ),
    "general.term": (
        "The right value plus or minus an argument.",
        "The right value {name} gives the same results.",
        "Look for a term that is left out, or one too many.",
    ),
    "general.reversed": (
        "The right array with its rows or columns in reverse order.",
        "The right array with its {name} in reverse order gives the same results.",
        "In which order do you go through this axis?",
    ),
    "general.sign_of_term": (
        "The right code with a plus in place of a minus, or the reverse.",
        "With a plus in place of a minus, or the reverse, the right code gives the same results.",
        "Compare the sign of each term with the formula.",
    ),
    "general.border": (
        "The right code with a comparison that is off at its border.",
        "With a comparison that is off at its border, the right code gives the same results.",
        "What should happen where both sides are equal?",
    ),
    "general.bound": (
        "The right code with an index or a bound in its code that is off.",
        "With an index or a bound in its code that is off, the right code gives the same results.",
        "Write down the first and the last value that each index takes.",
    ),
    "general.assigned": (
        "The right code with an assignment in place of an addition.",
        "With an assignment in place of an addition, the right code gives the same results.",
        "Which lines have to keep what the variable held before?",
    ),
    "general.related_function": (
        "The right code with a mean for a sum, a minimum for a maximum, or the like.",
        "With a mean for a sum, a minimum for a maximum, or the like, the right code gives the same results.",
        "Compare each function that you call with the formula.",
    ),
    "general.transposed_factor": (
        "The right code with a matrix that is transposed, or not, in one place.",
        "With a matrix that is transposed, or not, in one place, the right code gives the same results.",
        "Write down the shape of each factor.",
    ),
    "general.operands_exchanged": (
        "The right code with two operands or arguments exchanged.",
        "With two operands or arguments exchanged, the right code gives the same results.",
        "In which order do the two sides of each minus, division and product stand?",
    ),
    "general.operand_missing": (
        "The right code with a term or a factor left out.",
        "With a term or a factor left out, the right code gives the same results.",
        "Compare each term and each factor with the formula.",
    ),
    "general.operation": (
        "The right code with another operation in one place, such as a product for a division.",
        "With another operation in one place, such as a product for a division, the right code gives the same results.",
        "Compare each operation with the formula.",
    ),
    "general.option_missing": (
        "The right code with an option left out of a call, such as its axis.",
        "With an option left out of a call, such as its axis, the right code gives the same results.",
        "Along which axis should each sum go?",
    ),
    "general.loop": (
        "The right code with a loop that leaves out items, or takes them in another order.",
        "With a loop that leaves out items, or takes them in another order, the right code gives the same results.",
        "Write down which items each loop goes through, and in which order.",
    ),
    "general.condition": (
        "The right code with a condition reversed or left out.",
        "With a condition reversed or left out, the right code gives the same results.",
        "Go through each condition: which inputs take which way?",
    ),
    "general.step_missing": (
        "The right code with a step left out.",
        "With a step left out, the right code gives the same results.",
        "Go through the steps of the assignment: which one does your code not make?",
    ),
    "general.constant": (
        "The right code with another number in one place.",
        "With another number in one place, the right code gives the same results.",
        "Compare each number in your code with the assignment.",
    ),
    "general.rounded": (
        "The right code with numbers that are rounded, cut or made positive on the way.",
        "With numbers that are rounded, cut or made positive on the way, the right code gives the same results.",
        "Where does your code change the type, the digits or the sign of its numbers?",
    ),
    "general.variable": (
        "The right code with another variable in one place.",
        "With another variable in one place, the right code gives the same results.",
        "Does each line use the quantity that it is meant to use?",
    ),
    "general.wrong_where": (
        "Right values but where an argument has some property.",
        "Your values are right except in the calls in which {name}.",
        "Which lines of your code handle this case?",
    ),
    "general.argument_changed": (
        "Right values, and an argument that is not what it was before the call.",
        "Your values are right, but the call changes {name}, which is its caller's.",
        "Which lines of your code write into an argument in place?",
    ),
    "general.earlier_value": (
        "The right value of an earlier call.",
        "Your values are those that were right for earlier calls.",
        "Look for values that your code keeps from call to call.",
    ),
    "general.after_first_call": (
        "Right values in the first call alone.",
        "Your values are right in the first call of each check and wrong afterwards.",
        "Look for values that your code keeps from call to call.",
    ),
    "general.right_at_times": (
        "Another value for the same arguments.",
        "For the same arguments, your values are right in one call and wrong in another.",
        "Look for values that your code keeps from call to call.",
    ),
    "general.factor_two": (
        "The right value times 2, or half of it.",
        "The right numbers times 2, or half of them, give the same results.",
        "Look for a factor of 2.",
    ),
}
